import { describe, expect, it } from 'vitest';
import { createLogger, NestLogger } from '../../src/platform/logger.service.js';

function record(): { lines: Record<string, unknown>[]; write(line: string): void } {
  const lines: Record<string, unknown>[] = [];
  return { lines, write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
}

describe('createLogger', () => {
  it('writes JSON lines from the level on', () => {
    const out = record();
    const logger = createLogger('info', out);
    logger.debug('hidden');
    logger.info({ port: 4000 }, 'shown');
    expect(out.lines).toEqual([{ level: 30, time: expect.stringMatching(/^\d{4}-.*Z$/), port: 4000, msg: 'shown' }]);
  });

  it('keeps secrets to itself wherever they stand', () => {
    const out = record();
    createLogger('info', out).error(
      {
        err: new Error('connect postgresql://u:hunter2@h/d'),
        req: { headers: { authorization: 'Bearer hunter2', host: 'h' } },
        adminToken: 'hunter2',
      },
      'Bearer hunter2',
    );
    expect(JSON.stringify(out.lines)).not.toContain('hunter2');
    expect(out.lines[0]).toMatchObject({ adminToken: '***', req: { headers: { authorization: '***', host: 'h' } } });
  });

  it('carries the messages of Nest with their context', () => {
    const out = record();
    new NestLogger(createLogger('debug', out)).error('broken', 'Error: broken\n at x', 'Router');
    new NestLogger(createLogger('debug', out)).log('started', 'Factory');
    expect(out.lines).toMatchObject([
      { level: 50, msg: 'broken', context: 'Router', stack: 'Error: broken\n at x' },
      { level: 20, msg: 'started', context: 'Factory' },
    ]);
  });
});
