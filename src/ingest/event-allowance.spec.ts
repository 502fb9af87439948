import { describe, expect, it } from 'vitest';
import { EventAllowance } from './event-allowance.js';

describe('EventAllowance', () => {
  it('lets a minute of the rate come at once, then as much as the time that passed', () => {
    const allowance = new EventAllowance();
    allowance.charge(1, 599, 10, 0);
    expect(allowance.waitFor(1, 10, 0)).toBe(0);
    allowance.charge(1, 1, 10, 0);
    expect(allowance.waitFor(1, 10, 0)).toBeCloseTo(0.1);
    expect(allowance.waitFor(1, 10, 100)).toBe(0);
    expect(allowance.waitFor(2, 10, 0)).toBe(0);
  });

  it('takes a body that is larger than what is left, and lets the cluster wait for it', () => {
    const allowance = new EventAllowance();
    allowance.charge(1, 6_600, 10, 0);
    expect(allowance.waitFor(1, 10, 0)).toBeCloseTo(600.1);
    expect(allowance.waitFor(1, 10, 600_000)).toBeCloseTo(0.1);
    expect(allowance.waitFor(1, 10, 600_200)).toBe(0);
  });

  it('saves up no more than a minute, and gives back what was not taken after all', () => {
    const allowance = new EventAllowance();
    allowance.charge(1, 600, 10, 0);
    allowance.charge(1, -600, 10, 3_600_000);
    allowance.charge(1, 599, 10, 3_600_000);
    expect(allowance.waitFor(1, 10, 3_600_000)).toBe(0);
    allowance.charge(1, 1, 10, 3_600_000);
    expect(allowance.waitFor(1, 10, 3_600_000)).toBeGreaterThan(0);
  });

  it('is not confused by a clock that goes back', () => {
    const allowance = new EventAllowance();
    allowance.charge(1, 650, 10, 10_000);
    expect(allowance.waitFor(1, 10, 0)).toBeCloseTo(5.1);
  });
});
