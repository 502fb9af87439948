import { availableParallelism, totalmem } from 'node:os';

/** Says which bench this is and on what kind of machine, so that a figure is never read without them. */
export function announce(title: string): void {
  console.log(`${title}\n  Node.js ${process.versions.node}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB`);
}

/** Prints one figure. */
export function figure(name: string, value: string): void {
  console.log(`  ${name.padEnd(34)} ${value}`);
}

/** Fails the bench when an answer was wrong or a limit was missed. */
export function demand(holds: boolean, message: string): void {
  if (!holds) throw new Error(`FAIL  ${message}`);
}

/** Middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Value of an environment variable that is a number. */
export function setting(name: string, otherwise: number): number {
  return Number(process.env[name] ?? otherwise);
}
