import { Injectable } from '@nestjs/common';
import { afterCommit } from './together.service.js';

/**
 * Counts the changes of clusters and their credentials that this process made, so that whoever remembers any of them knows when to
 * look again. Changes of other processes are seen when what is remembered expires.
 */
@Injectable()
export class Registrations {
  #version = 0;

  /** Differs from an earlier value when something has changed since. */
  get version(): number {
    return this.#version;
  }

  /** To be called after the change is committed, or as a part of what will be. */
  changed(): void {
    afterCommit(() => void this.#version++);
  }
}
