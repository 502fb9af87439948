import type { ExecutionResult } from 'graphql';

/**
 * The answers to portions of something, one by one. The answers of a portion are made at the same time, so that what they look
 * up goes into one statement. Unlike an async function, it can be returned from while it waits.
 */
export class AnswerStream<T> implements AsyncGenerator<ExecutionResult, void, undefined> {
  #ready: ExecutionResult[] = [];

  constructor(
    private readonly portions: AsyncGenerator<readonly T[], void, undefined>,
    private readonly answer: (one: T) => Promise<ExecutionResult> | ExecutionResult,
  ) {}

  async next(): Promise<IteratorResult<ExecutionResult, void>> {
    while (this.#ready.length === 0) {
      const { value, done } = await this.portions.next();
      if (done) return { value: undefined, done: true };
      this.#ready = await Promise.all(value.map((one) => this.answer(one)));
    }
    return { value: this.#ready.shift()!, done: false };
  }

  async return(): Promise<IteratorResult<ExecutionResult, void>> {
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
