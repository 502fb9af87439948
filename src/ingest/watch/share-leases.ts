/** A replica that is alive, and what it is able to watch. */
export interface SharingReplica {
  id: string;
  /** Clusters that its configuration names. */
  configured: readonly number[];
  /** Whether it has the key that opens stored credentials. */
  opensStored: boolean;
}

/** A cluster that is to be watched. */
export interface SharedLease {
  clusterId: number;
  /** Whether a stored credential leads to it. */
  stored: boolean;
  /** The live replica that holds it; null when nobody does. */
  holder: string | null;
}

/** What a replica does about its share. */
export interface ShareDecision {
  /** Free clusters to take. */
  take: number[];
  /** Clusters to give back, because a replica with less can watch them too. */
  giveBack: number[];
}

interface Load {
  id: string;
  able: (lease: SharedLease) => boolean;
  held: SharedLease[];
}

/**
 * Decides which free clusters a replica takes and which of its own it gives back, so that in the end no replica has two more
 * than another that could watch one of them. Every replica comes to the same division from the same rows, and acts on
 * its own part of it only; where the rows changed meanwhile, the database lets one of two win.
 */
export function shareLeases(me: string, replicas: readonly SharingReplica[], leases: readonly SharedLease[]): ShareDecision {
  const loads = replicas.map((replica) => loadOf(replica, leases));
  for (const lease of sorted(leases)) {
    if (lease.holder === null) byLoad(loads.filter(({ able }) => able(lease)))[0]?.held.push(lease);
  }
  for (let move = nextMove(loads); move; move = nextMove(loads)) {
    move.from.held.splice(move.from.held.indexOf(move.lease), 1);
    move.to.held.push(move.lease);
  }
  const mine = new Set(loads.find(({ id }) => id === me)?.held);
  return {
    take: [...mine].filter(({ holder }) => holder === null).map(({ clusterId }) => clusterId),
    giveBack: leases.filter((lease) => lease.holder === me && !mine.has(lease)).map(({ clusterId }) => clusterId),
  };
}

function loadOf({ id, configured, opensStored }: SharingReplica, leases: readonly SharedLease[]): Load {
  const names = new Set(configured);
  return {
    id,
    able: ({ clusterId, stored }) => (stored && opensStored) || names.has(clusterId),
    held: sorted(leases).filter(({ holder }) => holder === id),
  };
}

/** One lease from a replica to another that has at least two fewer and can watch it, between those furthest apart. */
function nextMove(loads: readonly Load[]): { from: Load; to: Load; lease: SharedLease } | undefined {
  const ascending = byLoad(loads);
  for (const from of ascending.toReversed()) {
    for (const to of ascending) {
      if (from.held.length - to.held.length < 2) break;
      const lease = from.held.findLast((held) => to.able(held));
      if (lease) return { from, to, lease };
    }
  }
  return undefined;
}

function byLoad(loads: readonly Load[]): Load[] {
  return loads.toSorted((a, b) => a.held.length - b.held.length || (a.id < b.id ? -1 : 1));
}

function sorted(leases: readonly SharedLease[]): SharedLease[] {
  return leases.toSorted((a, b) => a.clusterId - b.clusterId);
}
