import { z } from 'zod';

/**
 * The shape of one problem file, `knowledge/<provider>/<area>/<name>.yaml`. The loader, the JSON Schema for editors and
 * the docs all come from here.
 */

const sentence = z.string().trim().min(1);

/** A text in both languages of Casebook; neither may be missing. */
export const LocalText = z
  .strictObject({ en: sentence, zh: sentence })
  .describe('The text in English (en) and Chinese (zh), both in our own words.');
export type LocalText = z.infer<typeof LocalText>;

const oneOrMore = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).min(1)]).describe('One, or a list of which any one is enough.');

export const Severity = z.enum(['critical', 'error', 'warning', 'info']);
export type Severity = z.infer<typeof Severity>;

export const Risk = z.enum(['cluster-component-down', 'no-traffic-for-new', 'sync-blocked', 'backend-update-may-fail', 'none']);
export type Risk = z.infer<typeof Risk>;

/** Who provides a cluster. */
export const ClusterProvider = z.enum(['kubernetes', 'tke', 'tke-serverless', 'ack']);

/** Whose problem it is: of such a provider's clusters, of every cluster (kubernetes), or what Casebook itself watches for. */
export const Provider = z.enum([...ClusterProvider.options, 'casebook']);
export type Provider = z.infer<typeof Provider>;

/** Text template: literal text with `{placeholders}`. How it is matched stands in docs/knowledge.md. */
const template = sentence.describe('Literal text with {placeholders}; white space and letter case do not matter.');

/** One way to recognise the problem; every field that is given has to hold. */
export const Rule = z
  .strictObject({
    code: z.string().regex(/^[EWS]\d{4}$/).optional().describe('Error code of the TKE controllers, as "ErrorCode: E4011" or leading the message.'),
    alert: oneOrMore(sentence).optional().describe('Name of an alert, whole, letter case ignored; fits nothing but an alert that Alertmanager says is firing.'),
    reason: oneOrMore(sentence).optional().describe('Reason of the event, whole, letter case ignored.'),
    type: z.enum(['Normal', 'Warning']).optional().describe('Type of the event; an event without a type fits both.'),
    message: oneOrMore(template).optional().describe('Template that the message has to contain.'),
    not: oneOrMore(template).optional().describe('Template that the message must not contain.'),
    regex: sentence.optional().describe('Linear-time (RE2) expression on the normalised message, letter case ignored; named groups are captured. The exception, not the rule.'),
    exitCode: oneOrMore(z.int()).optional().describe('Exit code named by the message, folded to 0-255.'),
    kinds: z.array(sentence).min(1).optional().describe('Object kinds, instead of objectKinds of the problem; "*" is any.'),
    reporters: z.array(sentence).min(1).optional().describe('Components that may report it, "*" as wildcard; an event without a reporter fits. Overrides the area.'),
    reporterRequired: z.boolean().optional().describe('True where the text alone says too little: an event without a reporter does not fit.'),
  })
  .refine((rule) => rule.code ?? rule.alert ?? rule.reason ?? rule.message ?? rule.regex ?? rule.exitCode, 'a rule needs at least one of code, alert, reason, message, regex, exitCode')
  .refine(({ alert, ...rule }) => alert === undefined || !(rule.code ?? rule.reason ?? rule.type ?? rule.reporters), 'alert stands for code, reason, type and reporters, which cannot be given beside it');
export type Rule = z.infer<typeof Rule>;

/** An event of the same object that ends the failure. A bare word is a reason. */
export const ClearingEvent = z.union([
  sentence,
  z
    .strictObject({
      reason: sentence.optional(),
      type: z.enum(['Normal', 'Warning']).optional(),
      message: template.optional(),
      reporters: z.array(sentence).min(1).optional(),
    })
    .refine((on) => on.reason ?? on.type ?? on.message, 'needs at least one of reason, type, message'),
]);
export type ClearingEvent = z.infer<typeof ClearingEvent>;

const duration = z
  .string()
  .regex(/^\d+[smhd]$/, 'expected a duration such as 90s, 15m, 6h, 7d')
  .describe('A whole number with s, m, h or d.');

/** How an incident of this problem ends. The end of the object and a person end every incident besides. */
export const Clears = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.enum(['success-event', 'paired']),
    on: z.array(ClearingEvent).min(1).describe('Events on the same object (and the same container, where the problem is of a container).'),
    settle: duration.optional().describe('The clearing event counts only if the problem was not seen for this long before it.'),
    quiet: duration.optional().describe('Besides: no repetition for this long ends it too. Leave it out where silence proves nothing.'),
  }),
  z.strictObject({ by: z.literal('quiet'), quiet: duration.default('30m') }),
  z.strictObject({ by: z.literal('terminal'), quiet: duration.default('24h').describe('The object does not recover; the incident is put away after this long.') }),
  z.strictObject({ by: z.literal('object-gone') }),
  z.strictObject({ by: z.literal('alert-resolved') }),
]);
export type Clears = z.infer<typeof Clears>;

export const Check = z.strictObject({
  run: sentence.optional().describe('Command to run; {placeholders} are filled from the event and its captures.'),
  look: LocalText.describe('What to look at, and which outcome confirms this cause.'),
});
export type Check = z.infer<typeof Check>;

export const Cause = z.strictObject({
  text: LocalText.describe('The cause, in one or two sentences.'),
  checks: z.array(Check).min(1),
  remedies: z.array(LocalText).min(1),
});
export type Cause = z.infer<typeof Cause>;

export const ExampleEvent = z
  .strictObject({
    kind: z.string().optional(),
    reason: z.string().optional(),
    type: z.string().optional(),
    reporter: z.string().optional(),
    container: z.string().optional(),
    message: z.string(),
    provider: ClusterProvider.optional().describe('Provider of the cluster; unknown when left out.'),
    captured: z.record(z.string(), z.string()).optional().describe('Captures that the diagnosis has to have (match examples only).'),
    rank: z.literal('any').optional().describe('Set where the text truly shows several problems: it is enough that this one is among them.'),
  });
export type ExampleEvent = z.infer<typeof ExampleEvent>;

const problemId = z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+\/[A-Za-z0-9-]+$/, 'expected an id such as tke/ingress/E4011');

/** One problem file, before the defaults of its area are laid under it. */
export const ProblemFile = z.strictObject({
  title: LocalText,
  summary: LocalText.describe('What it is, in two or three sentences.'),
  severity: Severity,
  risk: Risk.optional().describe('Class of the consequence, where the vendor states one.'),
  consequence: LocalText.describe('What happens if nobody acts.'),
  code: z.string().optional().describe('Error code that the problem is known by.'),
  objectKinds: z.array(sentence).min(1).optional().describe('Kinds of object it shows on; "*" is any. Default: of the area.'),
  scope: z.enum(['object', 'container']).default('object').describe('container: told apart and ended per container of a Pod.'),
  clears: Clears.optional().describe('How it ends. Default: of the area.'),
  transient: z.boolean().default(false).describe('True when the sender retries and it usually passes by itself.'),
  fallback: z.boolean().default(false).describe('True for the answer of an area when the text decides no cause; any specific problem wins over it.'),
  escalateTo: sentence.optional().describe('Team that has to act if the user cannot; never a person.'),
  recognise: z.array(Rule).default([]).describe('Ways to recognise it; any one is enough. Empty for a problem that no event shows.'),
  causes: z.array(Cause).min(1).describe('Most likely first.'),
  related: z
    .array(z.strictObject({ id: problemId, as: z.enum(['cause', 'effect', 'similar']).describe('What the other problem is to this one.') }))
    .default([]),
  references: z.array(z.strictObject({ title: sentence, url: z.url() })).default([]),
  examples: z.strictObject({ match: z.array(ExampleEvent).default([]), noMatch: z.array(ExampleEvent).default([]) }).default({ match: [], noMatch: [] }),
});
export type ProblemFile = z.infer<typeof ProblemFile>;

/** `knowledge/<provider>/<area>/_area.yaml`: the area's name, and defaults for its problems. */
export const AreaFile = z.strictObject({
  title: LocalText,
  objectKinds: z.array(sentence).min(1).optional(),
  reporters: z.array(sentence).min(1).optional().describe('Components that may report problems of this area, "*" as wildcard.'),
  clears: Clears.optional(),
});
export type AreaFile = z.infer<typeof AreaFile>;
