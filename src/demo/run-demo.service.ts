import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { INestApplicationContext } from '@nestjs/common';
import type { ClusterEvent } from '../events/cluster-event.js';
import { readValues } from '../events/read-body.js';
import { Provider } from '../knowledge/problem-file.js';
import { IntakeService } from '../pipeline/intake.service.js';
import { Clock } from '../platform/clock.js';
import { EVERYTHING } from '../platform/scope.js';
import { LOGGER, type Logger } from '../platform/logger.service.js';
import type { Cluster } from '../store/cluster.js';
import { ClusterRepository, type NewCluster } from '../store/cluster.repository.js';
import { anchorOf, placeInTime, type DemoEvent } from './place-in-time.js';

/** What became of one demo cluster. */
export interface DemoResult {
  cluster: string;
  /** Events that were new; 0 when the stream of this day was told before. */
  accepted: number;
  /** Events that were known already. */
  merged: number;
}

/** The part of an application that is used here. */
export type Instances = Pick<INestApplicationContext, 'get'>;

const LABELS = { demo: 'true' };
const CLUSTERS: readonly NewCluster[] = [
  { name: 'demo-tke', provider: 'tke', region: 'ap-guangzhou', labels: LABELS },
  { name: 'demo-ack', provider: 'ack', region: 'cn-hangzhou', labels: LABELS },
  { name: 'demo-plain', provider: 'kubernetes', region: 'on-premises', labels: LABELS },
];

/** Folder of the streams, from src/ and from dist/ alike. */
const FOLDER = fileURLToPath(new URL('../../demo', import.meta.url));

/**
 * Registers the demo clusters that are missing and tells each its stream, by the way that every event goes. Harmless when
 * it runs again: see `anchorOf`. A cluster of the same name that is not a demo is left alone.
 */
export async function runDemo(app: Instances): Promise<DemoResult[]> {
  const [clusters, intake] = [app.get(ClusterRepository), app.get(IntakeService)];
  const [clock, logger] = [app.get(Clock), app.get<Logger>(LOGGER)];
  const results: DemoResult[] = [];
  for (const wanted of CLUSTERS) {
    const cluster = (await clusters.findByName(wanted.name, EVERYTHING)) ?? (await clusters.register(wanted)).cluster;
    if (cluster.labels.demo !== LABELS.demo) {
      logger.warn({ cluster: cluster.name }, 'a cluster of this name exists and is no demo; it is left alone');
      continue;
    }
    const events = await readStream(cluster, clock.now());
    const submitted = await intake.submit({ id: cluster.id, name: cluster.name, provider: Provider.parse(cluster.provider) }, events);
    logger.info({ cluster: cluster.name, ...submitted }, 'demo stream is replayed');
    results.push({ cluster: cluster.name, ...submitted });
  }
  return results;
}

async function readStream({ name, createdAt }: Cluster, now: number): Promise<ClusterEvent[]> {
  const anchor = anchorOf(createdAt.getTime(), now);
  const lines = (await readFile(`${FOLDER}/${name}.ndjson`, 'utf8')).trim().split('\n');
  const values = lines.map((line) => placeInTime(JSON.parse(line) as DemoEvent, anchor));
  const { events, rejected } = readValues(values, { now });
  const [first] = rejected;
  if (first) throw new Error(`${name}.ndjson, line ${first.index + 1}: ${first.reason}`);
  return events.map(({ event }) => event);
}
