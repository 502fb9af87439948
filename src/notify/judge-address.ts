import ipaddr from 'ipaddr.js';

/** What may be reached although it is not public: networks, and hosts by name, of which `*.example.com` stands for all below it. */
export interface AllowedTargets {
  /** In CIDR form. */
  networks: readonly string[];
  /** In lower case. */
  hosts: readonly string[];
}

/** The address of Azure's own services for a machine, which lies among public ones. */
const PUBLIC_BUT_INTERNAL = ['168.63.129.16/32'];
/** Tests of networks, and relays to IPv6, which an IPv4 unicast range does not leave out by itself. */
const SPECIAL_V4 = ['0.0.0.0/8', '192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '240.0.0.0/4', ...PUBLIC_BUT_INTERNAL];
/** Everything in IPv6 that is routed between networks; what embeds an IPv4 address or is for one site lies outside, or is named by its range. */
const GLOBAL_V6 = '2000::/3';

/** Reads an IP address; one that is an IPv4 address written as IPv6 becomes that address. Undefined for what is none. */
function read(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(plain) ? ipaddr.process(plain) : undefined;
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match([base, bits] as [ipaddr.IPv4 & ipaddr.IPv6, number]);
}

/** Whether a text is an IP address, with or without the brackets of a URL. */
export function isAddress(host: string): boolean {
  return read(host) !== undefined;
}

/** Whether a host is allowed by its name. */
export function isAllowedHost(host: string, { hosts }: AllowedTargets): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.some((allowed) => (allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed));
}

/** Whether an address is allowed by the operator, whatever it is. */
export function isAllowedAddress(address: string, { networks }: AllowedTargets): boolean {
  const found = read(address);
  return found !== undefined && networks.some((network) => isWithin(found, network));
}

/**
 * Why nothing may be sent to an address that a host has; undefined when it may. Everything but public addresses is refused unless the
 * operator allows it: loopback, private, link-local and with it the metadata of clouds, shared (CGNAT), multicast, reserved ranges,
 * and addresses that carry an IPv4 address in them (6to4, Teredo, NAT64), which a relay would pass on.
 */
export function refuseAddress(host: string, address: string, allowed: AllowedTargets): string | undefined {
  const found = read(address);
  if (!found) return `${JSON.stringify(address.slice(0, 60))} is no IP address`;
  if (isAllowedHost(host, allowed) || isAllowedAddress(address, allowed)) return undefined;
  const range = found.range();
  const special = found.kind() === 'ipv4' ? SPECIAL_V4.some((network) => isWithin(found, network)) : !isWithin(found, GLOBAL_V6);
  if (range === 'unicast' && !special) return undefined;
  return `${found.toString()} is not a public address (${range === 'unicast' ? 'special' : range}); CASEBOOK_WEBHOOK_ALLOW can allow it`;
}

/** Why plain HTTP may not be used to an address of a host; undefined when it may: only where the operator allows the target by name or network. */
export function refusePlainHttp(host: string, address: string, allowed: AllowedTargets): string | undefined {
  if (isAllowedHost(host, allowed) || isAllowedAddress(address, allowed)) return undefined;
  return 'plain http is only for targets that CASEBOOK_WEBHOOK_ALLOW names';
}
