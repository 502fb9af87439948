/** How long things are kept, in days; Infinity for ever. */
export interface RetentionConfig {
  /** Events, sightings and signals: `CASEBOOK_RETENTION_DAYS`. */
  events: number;
  /** Sums of quarters of an hour. */
  quarters: number;
  /** Sums of hours. */
  hours: number;
  /** Objects that incidents were about, once nothing of them was seen or heard for as long. */
  affected: number;
  /** Resolved incidents. */
  incidents: number;
}

type Kind = Exclude<keyof RetentionConfig, 'events'>;

const USUAL: Record<Kind, number> = { quarters: 400, hours: Infinity, affected: 400, incidents: Infinity };
const KINDS = Object.keys(USUAL) as Kind[];
const LEAST = 7;
const MOST = 36_500;

/** The form of `CASEBOOK_RETENTION`, for people. */
export const RETENTION_FORM = `a list such as quarters=400d,hours=never,affected=400d,incidents=never with days from ${LEAST} to ${MOST}`;

/** Reads `CASEBOOK_RETENTION`; what it does not name is as usual. Returns what is wrong with it as a text. */
export function parseRetention(text: string, events: number): RetentionConfig | string {
  const said: Partial<Record<Kind, number>> = {};
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '' && text.trim() === '') break;
    const [, kind, days] = /^([a-z]+)\s*=\s*(\d{1,6}d|never)$/.exec(part) ?? [];
    const number = days === undefined ? NaN : days === 'never' ? Infinity : Number.parseInt(days, 10);
    if (!isKind(kind)) return `expected ${RETENTION_FORM}, got ${JSON.stringify(part.slice(0, 60))}`;
    if (!(number >= LEAST && (number <= MOST || number === Infinity)))
      return `expected ${LEAST}d to ${MOST}d or never for ${kind}, got ${JSON.stringify(days)}`;
    if (said[kind] !== undefined) return `${kind} is there twice`;
    said[kind] = number;
  }
  const affected = said.affected ?? Math.max(USUAL.affected, events);
  const quarters = said.quarters ?? Math.min(USUAL.quarters, said.hours ?? Infinity);
  const kept = { events, quarters, hours: said.hours ?? USUAL.hours, affected, incidents: said.incidents ?? USUAL.incidents };
  if (kept.affected < events)
    return `affected is ${kept.affected}d, shorter than CASEBOOK_RETENTION_DAYS (${events}): objects are kept at least as long as their events`;
  if (kept.incidents < kept.affected) return `incidents is shorter than affected: incidents are kept at least as long as their objects`;
  if (kept.hours < kept.quarters) return `hours is shorter than quarters: coarser sums are kept at least as long as finer ones`;
  return kept;
}

function isKind(kind: string | undefined): kind is Kind {
  return KINDS.some((known) => known === kind);
}
