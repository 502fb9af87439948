import type { ClientConfig } from './client-config.js';
import { parseClientConfig } from './client-config.js';

/**
 * Reads from the environment of this process how the command line reaches the service; options go first.
 *
 * @throws ClientConfigError
 */
export function loadClientConfig(options: Parameters<typeof parseClientConfig>[1]): ClientConfig {
  return parseClientConfig(process.env, options);
}
