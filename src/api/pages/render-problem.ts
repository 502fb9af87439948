import type { Knowledge, Problem } from '../../knowledge/problem.js';
import { presentCauses } from '../present-causes.js';
import type { PresentedCause } from '../present-causes.js';
import { describeEnd } from './describe-end.js';
import { html, linkOut } from './html.js';
import type { Html, HtmlValue } from './html.js';
import { framePage } from './page-frame.js';
import type { PageView } from './page-frame.js';
import { WORDS } from './page-words.js';
import { guideRow, problemRow, section, severityBadge } from './render-catalogue.js';

/** Renders the page of one problem. Placeholders of its commands are shown as names in angle brackets. */
export function renderProblem(problem: Problem, knowledge: Knowledge, view: PageView): string {
  const { locale } = view;
  const words = WORDS[locale];
  const { id, title, summary, code, objectKinds, severity, consequence, clears, transient, escalateTo, references, related } = problem;
  const facts: [string, HtmlValue][] = [
    [words.severity, severityBadge(severity, view)],
    [words.code, code],
    [words.kinds, objectKinds.includes('*') ? '*' : objectKinds.join(', ')],
    [words.risk, consequence[locale]],
    [words.ends, describeEnd(clears, locale)],
    [words.escalate, escalateTo],
  ];
  const relations = related.flatMap((relation) => {
    const other = knowledge.byId.get(relation.id);
    return other ? [problemRow(other, view, words[relation.as])] : [];
  });
  const content = html`<h1>${title[locale]}</h1>
    <p class="id">${id}</p>
    <p>${summary[locale]}</p>
    <dl>
      ${facts.map(([name, value]) =>
        value === undefined
          ? undefined
          : html`<dt>${name}</dt>
              <dd>${value}</dd>`,
      )}
    </dl>
    ${transient ? html`<p>${words.transient}</p>` : undefined}
    <h2>${words.causes}</h2>
    <p>${words.causesIntro}</p>
    ${presentCauses(problem, locale, {}).map((cause, i) => causeOf(cause, i, view))} ${section(words.relations, relations)}
    ${section(
      words.guides,
      (knowledge.guidesByProblem.get(id) ?? []).map((guide) => guideRow(guide, view)),
    )}
    ${section(
      words.references,
      references.map((reference) => html`<li>${linkOut(reference.title, reference.url)}</li>`),
    )}`;
  return framePage(title[locale], `/problems/${id}`, view, content);
}

function causeOf({ text, checks, remedies }: PresentedCause, i: number, { locale }: PageView): Html {
  const words = WORDS[locale];
  return html`<article>
    <h3>${i + 1}. ${text}</h3>
    <h3>${words.checks}</h3>
    ${checks.map(
      ({ run, look }) =>
        html`${run === undefined ? undefined : html`<pre><code>${run}</code></pre>`}
          <p>${look}</p>`,
    )}
    <h3>${words.remedies}</h3>
    <ul>
      ${remedies.map((remedy) => html`<li>${remedy}</li>`)}
    </ul>
  </article>`;
}
