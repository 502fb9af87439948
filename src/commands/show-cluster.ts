/** A cluster as the commands ask for it. */
export interface ShownCluster {
  name: string;
  provider: string;
  region: string | null;
  labels: Record<string, string>;
  state: string;
  createdAt: string;
  lastHeardAt: string | null;
  openIncidents: number;
  suspendedAt: string | null;
  suspendedReason: string | null;
  signaturesRequired: boolean;
  eventsPerSecond: number | null;
  maxBodyBytes: number | null;
}

/** A token or signing secret as the commands ask for it. */
export interface ShownCredential {
  id: string;
  createdAt: string;
  lastUsedAt?: string | null;
  expiresAt: string | null;
}

/** What the commands ask of a cluster. */
export const CLUSTER_FIELDS =
  'name provider region labels state createdAt lastHeardAt openIncidents suspendedAt suspendedReason signaturesRequired eventsPerSecond maxBodyBytes';

/** A provider in the spelling of the command line, `tke-serverless`. */
export function providerWord(provider: string): string {
  return provider.toLowerCase().replaceAll('_', '-');
}

/** One line for each cluster, under a head. */
export function showClusters(clusters: readonly ShownCluster[]): string {
  if (clusters.length === 0) return 'No cluster is registered. Add one: casebook clusters add <name> --provider kubernetes';
  return table(
    ['NAME', 'PROVIDER', 'REGION', 'STATE', 'LAST HEARD', 'OPEN INCIDENTS'],
    clusters.map((one) => [
      one.name,
      providerWord(one.provider),
      one.region ?? '-',
      one.state.toLowerCase(),
      time(one.lastHeardAt, 'never'),
      String(one.openIncidents),
    ]),
  );
}

/** Everything of one cluster, a line for each thing. */
export function showCluster(one: ShownCluster): string {
  const labels = Object.entries(one.labels).map(([name, value]) => `${name}=${value}`);
  const suspended =
    one.suspendedAt === null
      ? []
      : [['suspended', `${time(one.suspendedAt)}${one.suspendedReason === null ? '' : `: ${one.suspendedReason}`}`]];
  return table(undefined, [
    ['name', one.name],
    ['provider', providerWord(one.provider)],
    ['region', one.region ?? '-'],
    ['labels', labels.join(' ') || '-'],
    ['state', one.state.toLowerCase()],
    ...suspended,
    ['registered', time(one.createdAt)],
    ['last heard', time(one.lastHeardAt, 'never')],
    ['open incidents', String(one.openIncidents)],
    ['signatures', one.signaturesRequired ? 'required' : 'optional'],
    ['events per second', one.eventsPerSecond === null ? 'default' : String(one.eventsPerSecond)],
    ['largest body', one.maxBodyBytes === null ? 'default' : `${one.maxBodyBytes} bytes`],
  ]);
}

/** One line for each token or signing secret, under a head; `now` in milliseconds. */
export function showCredentials(credentials: readonly ShownCredential[], now: number): string {
  if (credentials.length === 0) return 'There is none.';
  return table(
    ['ID', 'CREATED', 'LAST USED', 'EXPIRES'],
    credentials.map(({ id, createdAt, lastUsedAt, expiresAt }) => {
      const expired = expiresAt !== null && Date.parse(expiresAt) <= now;
      const used = lastUsedAt === undefined ? '-' : time(lastUsedAt, 'never', 'minute');
      return [id, time(createdAt), used, `${time(expiresAt, 'when revoked')}${expired ? ' (expired)' : ''}`];
    }),
  );
}

/** A time in UTC, to the second or the minute. */
export function time(at: string | null, none = '-', to: 'second' | 'minute' = 'second'): string {
  return at === null ? none : `${at.slice(0, to === 'minute' ? 16 : 19).replace('T', ' ')}Z`;
}

/** What a terminal would take for a command is not passed on to it. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?');
}

/** Rows in columns, under a head when there is one. */
export function table(head: readonly string[] | undefined, rows: readonly (readonly string[])[]): string {
  const all = (head ? [head, ...rows] : rows).map((row) => row.map(printable));
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
