import { fillTemplate } from '../knowledge/fill-template.js';
import type { Problem } from '../knowledge/problem.js';
import type { IncidentRecord } from '../store/queries/incident-columns.js';
import type { GatheredCount } from '../store/queries/find-gathered.js';
import { cutText } from './describe-message.js';
import type { DigestCount, IncidentFacts } from './message.js';

const MOST_REMEDIES = 3;
const MOST_TEXT = 1000;

/** What a webhook tells of an incident, in its language; a problem that the knowledge does not hold any more is told by its id. */
export function factsOf(
  incident: IncidentRecord & Pick<IncidentFacts, 'mergedInto'>,
  cluster: string,
  problem: Problem | undefined,
  locale: 'en' | 'zh',
): IncidentFacts {
  const { id, problemId, subject, code, severity, status, occurrences, affectedCount, firstSeenAt, lastSeenAt, resolvedAt, resolvedBy } =
    incident;
  const captured = (incident.diagnosis as { captured?: Record<string, string> } | null)?.captured ?? {};
  const fill = (text: string | undefined): string =>
    text === undefined ? '' : cutText(fillTemplate(text, { ...subject, ...captured }), MOST_TEXT);
  return {
    id,
    cluster,
    problem: problemId,
    title: problem ? problem.title[locale] : problemId,
    summary: fill(problem?.summary[locale]),
    consequence: fill(problem?.consequence[locale]),
    remedies: (problem?.causes[0]?.remedies ?? []).slice(0, MOST_REMEDIES).map((remedy) => fill(remedy[locale])),
    code,
    severity,
    status,
    subject,
    occurrences,
    affectedCount,
    firstSeenAt,
    lastSeenAt,
    resolvedAt: status === 'resolved' ? resolvedAt : null,
    resolvedBy: status === 'resolved' ? resolvedBy : null,
    mergedInto: incident.mergedInto,
  };
}

/** A row of a digest, in the language of its webhook. */
export function digestCountOf(
  { kind, problemId, cluster, severity, count }: GatheredCount,
  problem: Problem | undefined,
  locale: 'en' | 'zh',
): DigestCount {
  return { kind, cluster, problem: problemId, title: problem ? problem.title[locale] : problemId, severity, count };
}
