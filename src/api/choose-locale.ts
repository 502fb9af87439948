/** A language that knowledge is written in. */
export type Locale = 'en' | 'zh';

/** The best language for an Accept-Language header; English when it names neither of ours. */
export function chooseLocale(header: string | undefined): Locale {
  let best: Locale = 'en';
  let weight = 0;
  for (const part of (header ?? '').slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const language = tag.split('-')[0];
    const q = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]).find((value) => value !== undefined);
    const wish = q === undefined ? 1 : Number(q);
    if ((language === 'en' || language === 'zh') && wish > weight) {
      best = language;
      weight = wish;
    }
  }
  return best;
}
