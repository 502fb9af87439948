import { describe, expect, it } from 'vitest';
import { WaitingPlaces } from './waiting-places.js';

describe('WaitingPlaces', () => {
  it('gives one address only its share, and a place that was given back to another', () => {
    const places = new WaitingPlaces({ ofPlace: 2, ofAll: 10 });
    const [first] = [places.take('10.0.0.1'), places.take('10.0.0.1')];
    expect(places.take('10.0.0.1')).toBeUndefined();
    expect(places.take('10.0.0.2')).toBeDefined();
    first!();
    first!();
    expect(places.take('10.0.0.1')).toBeDefined();
    expect(places.take('10.0.0.1')).toBeUndefined();
  });

  it('takes a network of IPv6 for one address', () => {
    const places = new WaitingPlaces({ ofPlace: 1, ofAll: 10 });
    expect(places.take('2001:db8::1')).toBeDefined();
    expect(places.take('2001:db8:0:0:ffff::2')).toBeUndefined();
    expect(places.take('2001:db8:0:1::1')).toBeDefined();
  });

  it('bounds all addresses together', () => {
    const places = new WaitingPlaces({ ofPlace: 10, ofAll: 2 });
    const [first] = [places.take('10.0.0.1'), places.take('10.0.0.2')];
    expect(places.take('10.0.0.3')).toBeUndefined();
    first!();
    expect(places.take('10.0.0.3')).toBeDefined();
  });
});
