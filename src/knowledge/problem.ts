import type { GuideFile } from './guide-file.js';
import type { Clears, ProblemFile, Provider, Rule } from './problem-file.js';
import type { Reference } from './reference-file.js';

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

/** An ordered walk from a symptom to a cause. */
export interface Guide extends GuideFile {
  /** `guide/` and the name of the file: `guide/node-disk-full`. */
  id: string;
  /** File it came from, for messages to authors. */
  file: string;
}

/** A complete, checked set of problems, guides and reference tables; replaced as a whole on reload. */
export interface Knowledge {
  problems: readonly Problem[];
  byId: ReadonlyMap<string, Problem>;
  areas: ReadonlyMap<string, { en: string; zh: string }>;
  guides: readonly Guide[];
  guideById: ReadonlyMap<string, Guide>;
  /** Guides that are about a problem or lead to it, by the id of the problem; those about it first. */
  guidesByProblem: ReadonlyMap<string, readonly Guide[]>;
  reference: Reference;
  /** Short hash of the content, to tell whether a reload changed anything. */
  version: string;
}
