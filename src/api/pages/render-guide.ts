import { problemsOfGuide } from '../../knowledge/check-guide.js';
import type { GuideOutcome, GuideStep } from '../../knowledge/guide-file.js';
import type { Guide, Knowledge } from '../../knowledge/problem.js';
import { html, linkOut } from './html.js';
import type { Html } from './html.js';
import { addressOf, framePage } from './page-frame.js';
import type { PageView } from './page-frame.js';
import { WORDS } from './page-words.js';
import { problemRow, section } from './render-catalogue.js';

/** Renders the page of one guide: its steps in order, each outcome with a link to where it leads. */
export function renderGuide(guide: Guide, knowledge: Knowledge, view: PageView): string {
  const { locale } = view;
  const words = WORDS[locale];
  const { id, title, symptom, versions, steps, references } = guide;
  const problems = problemsOfGuide(guide).flatMap((problem) => knowledge.byId.get(problem) ?? []);
  const numbers = new Map(steps.map((step, i) => [step.id, i + 1]));
  const content = html`<h1>${title[locale]}</h1>
    <p class="id">${id}</p>
    <dl>
      <dt>${words.symptom}</dt>
      <dd>${symptom[locale]}</dd>
    </dl>
    ${
      versions.length === 0
        ? undefined
        : html`<h2>${words.versions}</h2>
            <ul>
              ${versions.map(({ component, affected, fixedIn }) => html`<li>${component} · ${words.affected}: ${affected[locale]}${fixedIn.length === 0 ? undefined : html` · ${words.fixedIn}: ${fixedIn.join(', ')}`}</li>`)}
            </ul>`
    }
    ${steps.map((step) => stepOf(step, numbers, knowledge, view))}
    ${section(
      words.about,
      problems.map((problem) => problemRow(problem, view)),
    )}
    ${section(
      words.references,
      references.map((reference) => html`<li>${linkOut(reference.title, reference.url)}</li>`),
    )}`;
  return framePage(title[locale], `/guides/${id.replace('guide/', '')}`, view, content);
}

function stepOf({ id, check, run, outcomes }: GuideStep, numbers: ReadonlyMap<string, number>, knowledge: Knowledge, view: PageView): Html {
  const words = WORDS[view.locale];
  return html`<article id="${id}">
    <h3>${words.step} ${numbers.get(id)}</h3>
    <p>${check[view.locale]}</p>
    ${run.map((command) => html`<pre><code>${command}</code></pre>`)}
    ${outcomes.map(
      ({ when, means, remedy, lead }) =>
        html`<div class="outcome">
          <p><strong>${when[view.locale]}</strong></p>
          ${means && html`<p>${means[view.locale]}</p>`}${remedy && html`<p>${words.remedy} ${remedy[view.locale]}</p>`}
          <p>${leadOf(lead, numbers, knowledge, view)}</p>
        </div>`,
    )}
  </article>`;
}

function leadOf(lead: GuideOutcome['lead'], numbers: ReadonlyMap<string, number>, { byId, guideById }: Knowledge, view: PageView): Html {
  const words = WORDS[view.locale];
  if (!lead) return html`${words.end}`;
  if ('step' in lead) return html`→ <a href="#${lead.step}">${words.goTo} ${words.step} ${numbers.get(lead.step)}</a>`;
  if ('problem' in lead)
    return html`→ ${words.itIs}
      <a href="${addressOf(`/problems/${lead.problem}`, view)}">${byId.get(lead.problem)?.title[view.locale] ?? lead.problem}</a>`;
  return html`→ ${words.goOn}
    <a href="${addressOf(`/guides/${lead.guide.replace('guide/', '')}`, view)}"
      >${guideById.get(lead.guide)?.title[view.locale] ?? lead.guide}</a
    >`;
}
