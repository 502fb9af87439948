import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { compileClearing } from '../incidents/clearing.js';
import { KnowledgeService } from '../knowledge/knowledge.service.js';
import type { Knowledge } from '../knowledge/problem.js';
import { compileMatcher } from '../matching/compile-matcher.js';
import type { Recogniser } from './recognise.js';

/** Holds the knowledge in force, compiled for recognising. */
@Injectable()
export class RecogniserService implements OnApplicationShutdown {
  #current: Recogniser;
  readonly #stop: () => void;

  constructor(knowledge: KnowledgeService) {
    this.#current = compile(knowledge.current());
    this.#stop = knowledge.onChange((changed) => void (this.#current = compile(changed)));
  }

  /** The recogniser of the knowledge in force; the same object until knowledge changes. */
  current(): Recogniser {
    return this.#current;
  }

  onApplicationShutdown(): void {
    this.#stop();
  }
}

function compile(knowledge: Knowledge): Recogniser {
  return { knowledge, matcher: compileMatcher(knowledge.problems), clearing: compileClearing(knowledge.problems) };
}
