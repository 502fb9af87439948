import type { ExecutionResult } from 'graphql';

/**
 * The answers to portions of something, one by one. The answers of a portion are made at the same time, so that what they look
 * up goes into one statement. Unlike an async function, it can be returned from while it waits.
 */
export class AnswerStream<T> implements AsyncGenerator<ExecutionResult, void, undefined> {
  #ready: ExecutionResult[] = [];
  #ended = false;

  /** `onEnd` is called once, however it ends. */
  constructor(
    private readonly portions: AsyncGenerator<readonly T[], void, undefined>,
    private readonly answer: (one: T) => Promise<ExecutionResult> | ExecutionResult,
    private readonly onEnd: () => void,
  ) {}

  async next(): Promise<IteratorResult<ExecutionResult, void>> {
    try {
      while (this.#ready.length === 0) {
        const { value, done } = await this.portions.next();
        const answers = done ? [] : await Promise.all(value.map((one) => this.answer(one)));
        if (done || this.#ended) return await this.return();
        this.#ready = answers;
      }
    } catch (error) {
      await this.return();
      throw error;
    }
    return { value: this.#ready.shift()!, done: false };
  }

  async return(): Promise<IteratorResult<ExecutionResult, void>> {
    if (!this.#ended) this.onEnd();
    this.#ended = true;
    this.#ready = [];
    await this.portions.return();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<ExecutionResult, void>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
