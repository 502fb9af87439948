import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { compileClearing } from '../incidents/clearing.js';
import { KnowledgeService } from '../knowledge/knowledge.service.js';
import type { Knowledge } from '../knowledge/problem.js';
import { compileMatcher } from '../matching/compile-matcher.js';
import { failingReasons } from '../matching/tells-failure.js';
import type { Recogniser } from './recognise.js';

/** Holds the knowledge in force, compiled for recognising. */
@Injectable()
export class RecogniserService implements OnApplicationShutdown {
  #current: Recogniser;
  readonly #stop: () => void;

  constructor(knowledge: KnowledgeService) {
    this.#current = compileRecogniser(knowledge.current());
    this.#stop = knowledge.onChange((changed) => void (this.#current = compileRecogniser(changed)));
  }

  /** The recogniser of the knowledge in force; the same object until knowledge changes. */
  current(): Recogniser {
    return this.#current;
  }

  onApplicationShutdown(): void {
    this.#stop();
  }
}

/** Compiles knowledge for recognising. */
export function compileRecogniser(knowledge: Knowledge): Recogniser {
  const { problems } = knowledge;
  return { knowledge, matcher: compileMatcher(problems), clearing: compileClearing(problems), failing: failingReasons(problems) };
}
