/** A piece of a page that is safe to send: texts in it are escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** What may stand between the literal parts of a piece of a page. */
export type HtmlValue = string | number | Html | undefined | readonly HtmlValue[];

/** Makes a piece of a page; every value that is not itself such a piece is escaped. */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(literals.map((literal, i) => (i === 0 ? '' : textOf(values[i - 1])) + literal).join(''));
}

/** A link to a page elsewhere; only its title when the address is not one of the web. */
export function linkOut(title: string, url: string): Html {
  return /^https?:\/\//i.test(url) ? html`<a href="${url}" rel="noreferrer">${title}</a>` : html`${title}`;
}

function textOf(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('');
  return String(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
