import { isLoopback } from '../config/is-loopback.js';

/**
 * True for a Host header that only ever leads to the machine it is asked on. A page can have its own name lead there, and is then of the same
 * origin to the browser.
 */
export function isLoopbackHost(header: string): boolean {
  const name = header.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return isLoopback(name) || name.endsWith('.localhost');
}
