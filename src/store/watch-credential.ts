/** What leads to the API server of a cluster and opens it. All of it is sealed before it is stored, and never shown again. */
export interface WatchCredential {
  /** Address, such as `https://10.0.0.1:6443`. */
  server: string;
  /** Certificates that the server's must be signed by, PEM; null for those that the machine trusts. */
  certificateAuthority: string | null;
  /** Name that the server's certificate must be for, where it is not that of the address. */
  serverName: string | null;
  /** Bearer token, or a client certificate with its key as PEM. */
  login: { token: string } | { certificate: string; key: string };
  /** Whether the server's certificate is not checked, and plain http is allowed. */
  insecure: boolean;
}
