import { describe, expect, it } from 'vitest';
import { Metrics } from '../../src/platform/metrics.service.js';

describe('Metrics', () => {
  it('gives the same metric for the same name, and its own to every instance', async () => {
    const metrics = new Metrics();
    metrics.counter('events_total', 'Events', ['cluster']).inc({ cluster: 'a' }, 2);
    metrics.counter('events_total', 'Events', ['cluster']).inc({ cluster: 'a' });
    metrics.gauge('queue', 'Queue', [], (gauge) => gauge.set(7));
    metrics.histogram('took_seconds', 'Took', [0.1, 1]).observe(0.5);
    new Metrics().counter('events_total', 'Events', ['cluster']).inc({ cluster: 'b' });

    const { body, contentType } = await metrics.text();
    expect(contentType).toContain('text/plain');
    expect(body.split('\n')).toEqual(
      expect.arrayContaining([
        'events_total{cluster="a"} 3',
        'queue 7',
        'took_seconds_bucket{le="0.1"} 0',
        'took_seconds_bucket{le="1"} 1',
      ]),
    );
    expect(body).not.toContain('cluster="b"');
    expect(body).toContain('process_cpu_seconds_total');
  });
});
