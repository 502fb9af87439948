import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is as wished, and returns it; fails with the last answer after `within` milliseconds. */
export async function waitUntil<T>(ask: () => Promise<T> | T, wished: (answer: T) => boolean, within = 20_000): Promise<T> {
  for (const deadline = performance.now() + within; ; await sleep(25)) {
    const answer = await ask();
    if (wished(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`not within ${within} ms; in the end it was ${JSON.stringify(answer)}`);
  }
}
