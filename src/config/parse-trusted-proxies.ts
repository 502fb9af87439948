import ipaddr from 'ipaddr.js';
import { parsedText } from './parsed-text.js';

/** Words for networks that are often meant. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const MOST = 100;

/** Reads addresses, networks and words that commas separate, as networks in CIDR form. Returns what is wrong, as a text, when one cannot be read. */
export function parseTrustedProxies(value: string): string[] | string {
  const parts = value.split(',').flatMap((part) => part.trim() || []);
  if (parts.length > MOST) return `expected at most ${MOST} addresses and networks, got ${parts.length}`;
  const networks: string[] = [];
  for (const part of parts) {
    const read = Object.hasOwn(WORDS, part) ? WORDS[part]! : readNetwork(part);
    if (read === undefined)
      return `${JSON.stringify(part.slice(0, 60))} is no address such as 10.0.0.7, no network such as 10.0.0.0/8 or fd00::/8, and not loopback or private`;
    if (read.some((network) => network.endsWith('/0'))) return `${JSON.stringify(part)} is everybody: name the proxies alone`;
    networks.push(...read);
  }
  return networks;
}

function readNetwork(text: string): string[] | undefined {
  const [, address = '', bits] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  // An address of IPv4 that is written as IPv6 is taken for what it is, so a network of these would hold nobody.
  if (!isV4 && !(ipaddr.IPv6.isValid(address) && !ipaddr.IPv6.parse(address).isIPv4MappedAddress())) return undefined;
  const most = isV4 ? 32 : 128;
  const length = Number(bits ?? most);
  return length <= most ? [`${address}/${length}`] : undefined;
}

/** The variable that names them. */
export function trustedProxies() {
  return parsedText(parseTrustedProxies);
}
