/** A registered source of events. */
export interface Cluster {
  id: number;
  name: string;
  /** `kubernetes`, `tke`, `tke-serverless` or `ack`; the database takes no other. */
  provider: string;
  region: string | null;
  labels: Readonly<Record<string, string>>;
  createdAt: Date;
  /** When it last sent events; null before the first time. */
  lastHeardAt: Date | null;
  /** Since when nothing is taken from it; null while it is. */
  suspendedAt: Date | null;
  /** What was said when it was suspended; null when nothing was. */
  suspendedReason: string | null;
  /** Since when it is being removed with all its data; null for all others. */
  removingAt: Date | null;
  /** True when a body without a signature is refused. */
  signaturesRequired: boolean;
  /** Events that it may send per second in the long run; null for the service's default. */
  eventsPerSecond: number | null;
  /** Largest body as sent, in bytes; null for the service's limit. */
  maxBodyBytes: number | null;
}
