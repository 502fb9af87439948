import type { Annotation, ExitCode, ExitCodeRange, ExitCodesFile, PodState } from './reference-file.js';

/** What an exit code means: its own entry, else the range that holds it. The code has to be folded to 0-255 already. */
export function findExitCode(table: ExitCodesFile, code: number): ExitCode | ExitCodeRange | undefined {
  return table.codes.find((entry) => entry.code === code) ?? table.ranges.find(({ from, to }) => from <= code && code <= to);
}

/** The state by its name or an alias, letter case ignored. The prefix of init containers (`Init:CrashLoopBackOff`) is left out. */
export function findPodState(states: readonly PodState[], name: string): PodState | undefined {
  const wanted = name.trim().replace(/^init:/i, '').toLowerCase();
  return states.find((state) => [state.name, ...state.aliases].some((own) => own.toLowerCase() === wanted));
}

/** The annotation by its key, as copied from a manifest: quotes, a value after a colon and the minus of `kubectl annotate` are left out. */
export function findAnnotation(annotations: readonly Annotation[], key: string): Annotation | undefined {
  const wanted = key.trim().replaceAll(/^["']|["']$/g, '').replace(/["']?[:=].*$/s, '').replace(/-$/, '');
  return annotations.find((annotation) => annotation.key === wanted);
}
