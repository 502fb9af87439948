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
}
