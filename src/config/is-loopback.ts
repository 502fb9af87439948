/** True for an address that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);
}
