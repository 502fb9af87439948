import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Test } from '@nestjs/testing';
import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppModule } from '../../src/app.module.js';
import { parseConfig } from '../../src/config/config.js';
import { KnowledgeService } from '../../src/knowledge/knowledge.service.js';
import { IntakeService } from '../../src/pipeline/intake.service.js';
import { Clock } from '../../src/platform/clock.js';
import { createLogger } from '../../src/platform/logger.service.js';
import { ServiceState } from '../../src/platform/service-state.js';
import { crash, e4011 } from '../support/core-event.js';
import { cuttableLine } from '../support/cuttable-line.js';
import { startTestCasebook } from '../support/start-casebook.js';
import { createTestDatabase } from '../support/test-database.js';

describe('the program', () => {
  it('can be put together by its modules alone', async () => {
    const database = await createTestDatabase();
    const logger = createLogger('silent');
    const knowledge = new KnowledgeService({ bundled: resolve('test/support/knowledge'), logger, pollMs: 0 });
    await knowledge.start();
    const options = {
      config: parseConfig({}),
      logger,
      mask: (text: string) => text,
      documents: { trusted: new Map<string, string>(), only: false },
      state: new ServiceState(),
      knowledge,
      databaseUrl: database.url,
      migrationsFolder: resolve('prisma/migrations'),
    };
    const module = await Test.createTestingModule({ imports: [AppModule.register(options)] }).compile();
    expect(module.get(IntakeService, { strict: false }).inHand).toBe(0);
    await module.close();
    await database.drop();
  });

  it('answers what it has begun before it stops, and stores it', async () => {
    const casebook = await startTestCasebook();
    await casebook.register('prod');
    const posts = Array.from({ length: 8 }, (_, i) =>
      casebook.post(
        'prod',
        Array.from({ length: 500 }, (_unused, k) => crash({ uid: `stop-${i}-${k}`, namespace: `n${i}` })),
      ),
    );
    await posts[0];
    const started = performance.now();
    const stopping = casebook.stop();
    const statuses = (await Promise.allSettled(posts)).map((post) => (post.status === 'fulfilled' ? post.value.status : 0));
    await stopping;
    expect(performance.now() - started).toBeLessThan(4000);
    expect(statuses[0]).toBe(200);
    // Whoever came too late is told so or finds nobody, but nobody is left without an answer.
    expect(statuses.every((status) => [200, 503, 0].includes(status))).toBe(true);
    await expect(fetch(`${casebook.url}/healthz`)).rejects.toThrow('fetch failed');
    expect(casebook.logged).toEqual([]);
  });

  it('does not let open connections hold up its end', async () => {
    const casebook = await startTestCasebook();
    const { hostname, port } = new URL(casebook.url);
    const idle = connect(Number(port), hostname);
    await once(idle, 'connect');
    await fetch(`${casebook.url}/healthz`);
    const started = performance.now();
    await casebook.stop();
    expect(performance.now() - started).toBeLessThan(3000);
    idle.destroy();
  });

  it('becomes a WebSocket at /graphql alone, and only for who asks for one', async () => {
    const casebook = await startTestCasebook();
    onTestFinished(() => casebook.stop());
    for (const [path, protocol, status] of [
      ['/nowhere', 'websocket', 404],
      ['/graphql', 'websocket', 400], // no key and no version
      ['/graphql', 'h2c', 400],
    ] as const) {
      const upgrade = request(new URL(path, casebook.url), { headers: { connection: 'Upgrade', upgrade: protocol } });
      upgrade.end();
      const [answer] = (await once(upgrade, 'response')) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode, `${path} ${protocol}`).toBe(status);
    }
  });

  it('refuses a knowledge base with mistakes, a newer database and a port that is taken', async () => {
    const casebook = await startTestCasebook();
    onTestFinished(() => casebook.stop());
    await expect(startTestCasebook({}, 'test/knowledge/bad')).rejects.toMatchObject({ code: 'KNOWLEDGE_INVALID' });
    await expect(startTestCasebook({ PORT: new URL(casebook.url).port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const newer = await createTestDatabase();
    await newer.pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '99990101000000_from_the_future', now())`,
    );
    await expect(startTestCasebook({ DATABASE_URL: newer.url })).rejects.toMatchObject({ code: 'DATABASE_NEWER' });
    await newer.drop();
  });
});

describe('without its database', () => {
  it('asks callers to come back, stays alive, and goes on when the database is back', async () => {
    const database = await createTestDatabase();
    const line = await cuttableLine(database.url);
    const casebook = await startTestCasebook({ DATABASE_URL: line.url, LOG_LEVEL: 'fatal' });
    await casebook.register('prod');
    await casebook.post('prod', e4011({ uid: 'before' }));

    await line.cut();
    const events = [e4011({ uid: 'before' }), e4011({ uid: 'during', name: 'other' })];
    const refused = await casebook.post('prod', events);
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'BUSY', message: expect.not.stringContaining('127.0.0.1') } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await casebook.send('GET', '/v1/clusters')).toMatchObject({ status: 503 });
    for (const query of [
      '{ incidents { totalCount } }',
      '{ clusters { name } }',
      'mutation { registerCluster(input: { name: "x" }) { token } }',
    ]) {
      const { errors } = await casebook.graphql(query);
      expect(
        errors?.map(({ extensions }) => extensions.code),
        query,
      ).toEqual(['BUSY']);
    }
    expect(await casebook.send('GET', '/readyz')).toMatchObject({ status: 503, body: { missing: ['the database does not answer'] } });
    expect((await casebook.send('GET', '/healthz')).status).toBe(200);
    expect((await casebook.send('POST', '/v1/diagnose', { body: events })).status).toBe(200);

    await line.mend();
    expect(await casebook.post('prod', events)).toMatchObject({ status: 200, body: { accepted: 1, merged: 1 } });
    // What was found out is told for a second.
    vi.spyOn(casebook.app.get(Clock), 'now').mockReturnValue(Date.now() + 1_000);
    expect((await casebook.send('GET', '/readyz')).status).toBe(200);
    expect((await casebook.graphql('{ incidents { totalCount } }')).data).toEqual({ incidents: { totalCount: 2 } });
    await casebook.stop();
    await line.cut();
    await database.drop();
  });
});
