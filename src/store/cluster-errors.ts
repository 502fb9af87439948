/** A cluster of that name is registered already. */
export class ClusterExistsError extends Error {
  readonly code = 'CLUSTER_EXISTS';
  constructor(name: string, removing = false) {
    super(
      removing
        ? `the cluster named "${name}" is still being removed; its name is free when that is done`
        : `a cluster named "${name}" is registered already`,
    );
  }
}

/** No cluster of that name is registered. */
export class ClusterUnknownError extends Error {
  readonly code = 'CLUSTER_UNKNOWN';
  constructor(name: string) {
    super(`no cluster named ${JSON.stringify(name.slice(0, 100))} is registered`);
  }
}

/** The cluster is being removed, and nothing of it can be changed any more. */
export class ClusterRemovingError extends Error {
  readonly code = 'CLUSTER_REMOVING';
  constructor(name: string) {
    super(`the cluster "${name}" is being removed and cannot be changed any more`);
  }
}

/** The cluster's credentials do not allow what was asked for; the message says what to do first. */
export class CredentialError extends Error {
  /** @param code `CREDENTIAL_UNKNOWN` for an id that the cluster has none of, `CREDENTIAL_CONFLICT` for a step out of order */
  constructor(
    readonly code: 'CREDENTIAL_UNKNOWN' | 'CREDENTIAL_CONFLICT',
    message: string,
  ) {
    super(message);
  }
}
