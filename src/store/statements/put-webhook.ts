import type { Connection } from '../rows.js';
import { rows } from '../rows.js';
import type { WebhookSecrets, WebhookSettings } from '../webhook.js';
import { WebhookConflictError } from '../webhook.js';

/** A webhook to be stored; of its secrets only the names of the headers and whether there is a secret are read. */
export interface WebhookToPut {
  settings: WebhookSettings;
  secrets: WebhookSecrets;
  sealed: string;
  target: string;
}

/**
 * Creates a webhook or puts all its settings anew. One that is enabled again begins with the changes from now on.
 *
 * @throws WebhookConflictError when another one has the name
 */
export async function putWebhook(connection: Connection, id: string, { settings, secrets, sealed, target }: WebhookToPut): Promise<void> {
  const { name, preset, template, filter, kinds, locale, holdSeconds, flapSeconds, stormCount, stormSeconds, enabled } = settings;
  try {
    await rows(
      connection,
      `INSERT INTO webhook AS w (id, name, preset, target, sealed, has_secret, header_names, template, filter, kinds, locale, hold_seconds, flap_seconds,
         storm_count, storm_seconds, enabled, since)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, preset = EXCLUDED.preset, target = EXCLUDED.target, sealed = EXCLUDED.sealed,
         has_secret = EXCLUDED.has_secret, header_names = EXCLUDED.header_names, template = EXCLUDED.template, filter = EXCLUDED.filter,
         kinds = EXCLUDED.kinds, locale = EXCLUDED.locale, hold_seconds = EXCLUDED.hold_seconds, flap_seconds = EXCLUDED.flap_seconds,
         storm_count = EXCLUDED.storm_count, storm_seconds = EXCLUDED.storm_seconds, enabled = EXCLUDED.enabled, updated_at = clock_timestamp(),
         since = CASE WHEN EXCLUDED.enabled AND NOT w.enabled THEN EXCLUDED.since ELSE w.since END`,
      id,
      name,
      preset,
      target,
      sealed,
      secrets.secret !== undefined,
      Object.keys(secrets.headers),
      template,
      JSON.stringify(filter),
      kinds,
      locale,
      holdSeconds,
      flapSeconds,
      stormCount,
      stormSeconds,
      enabled,
    );
  } catch (error) {
    if ((error as { code?: string }).code === '23505')
      throw new WebhookConflictError(`There is a webhook ${JSON.stringify(name)} already.`);
    throw error;
  }
}
