import type { Clears, ProblemFile, Provider, Rule } from './problem-file.js';

/** One known, diagnosable condition, complete: the file with its area's defaults under it. */
export interface Problem extends Omit<ProblemFile, 'objectKinds' | 'clears' | 'recognise'> {
  /** Path without the ending: `tke/ingress/E4011`. */
  id: string;
  provider: Provider;
  /** Second part of the id: `ingress`. */
  area: string;
  objectKinds: string[];
  clears: Clears;
  recognise: Rule[];
  /** File it came from, for messages to authors. */
  file: string;
}

/** A complete, checked set of problems; replaced as a whole on reload. */
export interface Knowledge {
  problems: readonly Problem[];
  byId: ReadonlyMap<string, Problem>;
  areas: ReadonlyMap<string, { en: string; zh: string }>;
  /** Short hash of the content, to tell whether a reload changed anything. */
  version: string;
}
