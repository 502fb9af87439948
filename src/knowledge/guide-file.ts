import { z } from 'zod';
import { LocalText } from './problem-file.js';

const sentence = z.string().trim().min(1);

/** Where an outcome leads: another step of the guide, a problem that is thereby found, or another guide. */
const Lead = z.union([
  z.strictObject({ step: sentence.describe('Id of a step of this guide.') }),
  z.strictObject({ problem: sentence.describe('Id of the problem that this outcome proves.') }),
  z.strictObject({ guide: sentence.describe('Id of the guide to go on with.') }),
]);

/** What one result of a check means, and what follows. */
export const GuideOutcome = z.strictObject({
  when: LocalText.describe('The result, as it is seen.'),
  means: LocalText.optional().describe('What it says about the cause.'),
  remedy: LocalText.optional().describe('What to do about it.'),
  lead: Lead.optional().describe('Where to go next; none ends the walk.'),
});
export type GuideOutcome = z.infer<typeof GuideOutcome>;

/** One check of a guide with all its outcomes. */
export const GuideStep = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/, 'expected lower-case words joined by hyphens'),
  check: LocalText.describe('What to look at.'),
  run: z.array(sentence).default([]).describe('Commands, in order; names in <angle brackets> are filled in by the reader. A text of several lines is a manifest, a script or a filter.'),
  outcomes: z.array(GuideOutcome).min(1),
});
export type GuideStep = z.infer<typeof GuideStep>;

/** `knowledge/guides/<name>.yaml`: an ordered walk from a symptom to a cause. Its id is `guide/<name>`. */
export const GuideFile = z.strictObject({
  title: LocalText,
  symptom: LocalText.describe('What the reader sees when this guide is the right one.'),
  problems: z.array(sentence).default([]).describe('Problems that the guide is about; linked both ways.'),
  versions: z
    .array(z.strictObject({ component: sentence, affected: LocalText.describe('Versions with the fault.'), fixedIn: z.array(sentence).default([]).describe('First sound version of each line.') }))
    .default([])
    .describe('Version thresholds that the guide turns on.'),
  steps: z.array(GuideStep).min(1).describe('The first one is where to begin.'),
  references: z.array(z.strictObject({ title: sentence, url: z.url() })).default([]),
});
export type GuideFile = z.infer<typeof GuideFile>;
