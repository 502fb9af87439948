import ipaddr from 'ipaddr.js';

/** What of a request tells where it came from. */
export interface Arrival {
  socket: { remoteAddress?: string | undefined };
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Makes what tells the address of whoever sent a request: that of its peer, or, when that is a trusted proxy, the last one in
 * X-Forwarded-For that is not. What stands before it was written by whoever it is, and proves nothing. `trusted` are networks in CIDR form.
 */
export function readClientAddress(trusted: readonly string[]): (request: Arrival) => string {
  const networks = trusted.map((network) => ipaddr.parseCIDR(network));
  const isTrusted = (address: Address): boolean =>
    networks.some(([base, bits]) => base.kind() === address.kind() && address.match([base, bits] as [ipaddr.IPv4 & ipaddr.IPv6, number]));
  return ({ socket, headers }) => {
    let address = readAddress(socket.remoteAddress ?? '');
    if (address && isTrusted(address)) {
      const hops = String(headers['x-forwarded-for'] ?? '').split(',');
      for (let hop = hops.pop(); hop !== undefined && isTrusted(address); hop = hops.pop()) {
        const before = readAddress(hop.trim());
        // A proxy that does not tell an address answers for whoever it was.
        if (!before) break;
        address = before;
      }
    }
    // A connection that is gone already has no address any more.
    return address?.toString() ?? 'unknown';
  };
}

/** Reads an address as proxies write it, some with a port; one of IPv4 that is written as IPv6 becomes that address. */
function readAddress(text: string): Address | undefined {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  const address = (v6 ?? v4 ?? text).replace(/%.*$/, '');
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address) ? ipaddr.process(address) : undefined;
}
