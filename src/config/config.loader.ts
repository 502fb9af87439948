import { parseConfig, type Config } from './config.js';

/**
 * Reads the configuration of this process: the only place that looks at its environment.
 *
 * @throws ConfigError naming every wrong variable
 */
export function loadConfig(): Config {
  return parseConfig(process.env);
}
