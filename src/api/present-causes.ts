import { fillTemplate } from '../knowledge/fill-template.js';
import type { Problem } from '../knowledge/problem.js';
import type { Locale } from './choose-locale.js';

/** A cause of a problem in one language. */
export interface PresentedCause {
  text: string;
  checks: PresentedCheck[];
  remedies: string[];
}

/** How to find out whether a cause is the one. */
export interface PresentedCheck {
  /** Command to run; undefined when there is none. */
  run: string | undefined;
  look: string;
}

/** Values for the placeholders of texts and commands, such as `namespace` or what was captured from a message. */
export type Values = Readonly<Record<string, string>>;

/** What may stand in a command that a person pastes into a shell: no white space, quote or sign that a shell acts on. */
const HARMLESS = /^[\p{L}\p{N}_./:@%+=,][\p{L}\p{N}_./:@%+=,-]*$/u;

/**
 * The causes of a problem in one language, most likely first; placeholders filled where values are given. Values come from
 * texts that anybody in the cluster can write, so one that a shell would act on leaves its placeholder in the commands.
 */
export function presentCauses(problem: Problem, locale: Locale, values?: Values): PresentedCause[] {
  const harmless = values && Object.fromEntries(Object.entries(values).filter(([, value]) => HARMLESS.test(value)));
  const fill = (text: string, using: Values | undefined = values): string => (using ? fillTemplate(text, using) : text);
  return problem.causes.map((cause) => ({
    text: fill(cause.text[locale]),
    checks: cause.checks.map(({ run, look }) => ({ run: run === undefined ? undefined : fill(run, harmless), look: fill(look[locale]) })),
    remedies: cause.remedies.map((remedy) => fill(remedy[locale], harmless)),
  }));
}

/** What is known of an event's object, as values for placeholders; what the message itself said wins. */
export function valuesOf(
  object: { kind: string; namespace: string; name: string; container: string },
  host: string,
  captured: Values,
): Values {
  const { kind, namespace, name, container } = object;
  return { kind, namespace, name, container, node: kind === 'Node' ? name : host, ...captured };
}
