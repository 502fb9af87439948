import type { Guide, Knowledge, Problem } from '../../knowledge/problem.js';
import { html } from './html.js';
import type { Html } from './html.js';
import { addressOf, framePage } from './page-frame.js';
import type { PageView } from './page-frame.js';
import { PROVIDERS, WORDS } from './page-words.js';

/** What a search found, best first. */
export interface Found {
  search: string;
  problems: readonly Problem[];
  guides: readonly Guide[];
}

/** Renders the page of all problems by provider and area, and of all guides; or of what a search found. */
export function renderCatalogue(knowledge: Knowledge, view: PageView, found?: Found): string {
  const words = WORDS[view.locale];
  const guides = found?.guides ?? knowledge.guides;
  const total = (found?.problems ?? knowledge.problems).length + guides.length;
  const content = html`<h1>${words.catalogue}</h1>
    <p>${words.intro} ${words.found(total)}</p>
    <form action="/problems" role="search">
      ${view.sticky ? html`<input type="hidden" name="locale" value="${view.locale}" />` : undefined}<input
        type="search"
        name="search"
        value="${found?.search}"
        maxlength="200"
        placeholder="${words.filter}"
        aria-label="${words.filter}"
      /><button>${words.search}</button>
    </form>
    <p id="nothing" ${total === 0 ? undefined : html` hidden`}>${words.nothing}</p>
    ${
      found
        ? section(
            words.problems,
            found.problems.map((problem) => problemRow(problem, view)),
          )
        : byProvider(knowledge, view)
    }
    ${section(
      words.guides,
      guides.map((guide) => guideRow(guide, view)),
    )}`;
  return framePage(words.catalogue, '/problems', view, content);
}

/** A problem as a row of a list. */
export function problemRow(problem: Problem, view: PageView, note?: string): Html {
  const { id, title, code, severity, recognise } = problem;
  const reasons = recognise.flatMap(({ reason }) => reason ?? []);
  const hidden = [title.en, title.zh, code ?? '', ...reasons].join(' ');
  return html`<li data-words="${hidden}">
    <span
      ><a href="${addressOf(`/problems/${id}`, view)}">${title[view.locale]}</a>${note === undefined ? undefined : html` · ${note}`}</span
    ><span><span class="id">${id}</span> ${severityBadge(severity, view)}</span>
  </li>`;
}

/** A guide as a row of a list. */
export function guideRow({ id, title, symptom }: Guide, view: PageView): Html {
  return html`<li data-words="${`${title.en} ${title.zh} ${symptom[view.locale]}`}">
    <a href="${addressOf(`/guides/${id.replace('guide/', '')}`, view)}">${title[view.locale]}</a><span class="id">${id}</span>
  </li>`;
}

/** How bad a problem is, as a coloured word. */
export function severityBadge(severity: Problem['severity'], { locale }: PageView): Html {
  return html`<span class="badge ${severity}">${WORDS[locale].severities[severity]}</span>`;
}

/** A heading with rows; nothing without rows. */
export function section(heading: string, rows: readonly Html[]): Html {
  return rows.length === 0
    ? html``
    : html`<section>
        <h2>${heading}</h2>
        <ul class="rows">
          ${rows}
        </ul>
      </section>`;
}

function byProvider({ problems, areas }: Knowledge, view: PageView): Html[] {
  return Object.entries(PROVIDERS).map(([provider, name]) => {
    const own = problems.filter((problem) => problem.provider === provider);
    const parts = [...new Set(own.map(({ area }) => area))].map((area) => {
      const inArea = own.filter((problem) => problem.area === area);
      const title = areas.get(`${provider}/${area}`)?.[view.locale] ?? area;
      return html`<section id="${provider}-${area}">
        <h3>${title} <span class="id">${provider}/${area}</span></h3>
        <ul class="rows">
          ${inArea.map((problem) => problemRow(problem, view))}
        </ul>
      </section>`;
    });
    return own.length === 0
      ? html``
      : html`<section>
          <h2>${name}</h2>
          ${parts}
        </section>`;
  });
}
