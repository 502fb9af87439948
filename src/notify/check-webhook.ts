import { RequestError } from '../platform/refusal.js';
import type { Preset, ToldKind, WebhookFilter, WebhookSecrets, WebhookSettings } from '../store/webhook.js';
import { checkTemplate } from './fill-template.js';
import type { AllowedTargets } from './judge-address.js';
import { isAddress, isAllowedAddress, isAllowedHost, refuseAddress } from './judge-address.js';

/** A webhook as it came in: what is absent stays as it is, null puts the default in its place. */
export interface WantedWebhook {
  name?: string | null | undefined;
  preset?: Preset | null | undefined;
  url?: string | null | undefined;
  secret?: string | null | undefined;
  headers?: readonly { name: string; value: string }[] | null | undefined;
  template?: string | null | undefined;
  filter?: WebhookFilter | null | undefined;
  kinds?: readonly ToldKind[] | null | undefined;
  locale?: 'en' | 'zh' | null | undefined;
  holdSeconds?: number | null | undefined;
  flapSeconds?: number | null | undefined;
  stormCount?: number | null | undefined;
  stormSeconds?: number | null | undefined;
  enabled?: boolean | null | undefined;
}

/** A webhook, checked. */
export interface CheckedWebhook {
  settings: WebhookSettings;
  secrets: WebhookSecrets;
  /** What of its address may be shown. */
  target: string;
}

/** What a webhook has been so far. */
export type PresentWebhook = Omit<CheckedWebhook, 'target'>;

const DEFAULTS: PresentWebhook = {
  settings: {
    name: '',
    preset: 'generic',
    template: null,
    filter: {},
    kinds: ['OPENED', 'REOPENED', 'RESOLVED'],
    locale: 'en',
    holdSeconds: 0,
    flapSeconds: 300,
    stormCount: 20,
    stormSeconds: 60,
    enabled: true,
  },
  secrets: { url: '', headers: {} },
};
const PAGERDUTY = 'https://events.pagerduty.com/v2/enqueue';
const LIMITS = {
  holdSeconds: [0, 86_400],
  flapSeconds: [0, 86_400],
  stormCount: [1, 1000],
  stormSeconds: [5, 3600],
} as const;
const MOST_HEADERS = 20;
const MOST_VALUES = 200;
/** Headers that make the request what it is, and those that Casebook sets itself. */
const OWN_HEADERS =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|user-agent|idempotency-key|x-casebook-.*)$/i;

/** Checks a webhook, whole or as a change of what it is. Throws RequestError BAD_INPUT that names the wrong field. */
export function checkWebhook(wanted: WantedWebhook, present: PresentWebhook | undefined, allowed: AllowedTargets): CheckedWebhook {
  const base = present ?? DEFAULTS;
  const said = Object.fromEntries(
    Object.entries(wanted).flatMap(([key, value]) => (value === undefined ? [] : [[key, value ?? undefined]])),
  );
  const settings = { ...base.settings, ...pick(said, DEFAULTS.settings) };
  const { secret: before, ...kept } = base.secrets;
  const secret = 'secret' in said ? checkSecret(said['secret'] as string | undefined) : before;
  const url = checkUrl('url' in said ? ((said['url'] as string | undefined) ?? '') : kept.url, settings.preset, allowed);
  const headers = 'headers' in said ? checkHeaders((said['headers'] as WantedWebhook['headers']) ?? []) : kept.headers;
  checkSettings(settings, secret);
  const { origin } = new URL(url);
  return { settings, secrets: { url, headers, ...(secret !== undefined && { secret }) }, target: origin };
}

function pick(said: Record<string, unknown>, defaults: WebhookSettings): Partial<WebhookSettings> {
  const names = Object.keys(defaults) as (keyof WebhookSettings)[];
  return Object.fromEntries(names.flatMap((name) => (name in said ? [[name, said[name] ?? defaults[name]]] : [])));
}

function checkSettings(settings: WebhookSettings, secret: string | undefined): void {
  const { name, preset, template, filter, kinds } = settings;
  if (!/^\S(.{0,98}\S)?$/u.test(name) || name.includes('\0')) refuse('name', 'expected 1 to 100 characters without spaces around them');
  if (kinds.length === 0 || new Set(kinds).size !== kinds.length) refuse('kinds', 'expected at least one kind of change, each once');
  if (!kinds.includes('OPENED') && !kinds.includes('REOPENED')) {
    refuse('kinds', 'expected OPENED or REOPENED among them: all else is told only of failures that were told');
  }
  for (const [field, [least, most]] of Object.entries(LIMITS) as [keyof typeof LIMITS, readonly [number, number]][]) {
    const value = settings[field];
    if (!Number.isInteger(value) || value < least || value > most)
      refuse(field, `expected a whole number from ${least} to ${most}, got ${value}`);
  }
  for (const [field, values] of Object.entries(filter) as [string, string[]][]) {
    if (values.length > MOST_VALUES) refuse(`filter.${field}`, `expected at most ${MOST_VALUES} values, got ${values.length}`);
    if (values.some((value) => value.length > 500 || value.includes('\0')))
      refuse(`filter.${field}`, 'expected values of at most 500 characters, without NUL');
  }
  if (preset === 'pagerduty' && secret === undefined) refuse('secret', 'expected the routing key of the PagerDuty integration');
  if ((preset === 'slack' || preset === 'wecom') && secret !== undefined) {
    refuse('secret', `the address is the secret of ${preset}: leave this one out`);
  }
  if (template === null) return;
  if (preset !== 'generic') refuse('template', 'only the preset GENERIC can have one');
  const wrong = checkTemplate(template);
  if (wrong !== undefined) throw new RequestError('BAD_INPUT', wrong);
}

function checkUrl(text: string, preset: Preset, allowed: AllowedTargets): string {
  const given = text === '' && preset === 'pagerduty' ? PAGERDUTY : text;
  if (given.length > 2000 || !URL.canParse(given))
    refuse('url', 'expected an address such as https://hooks.example.com/path, at most 2000 characters');
  const url = new URL(given);
  const { protocol, hostname, username, password, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') refuse('url', `expected https, got ${JSON.stringify(protocol.slice(0, 20))}`);
  if (username !== '' || password !== '') refuse('url', 'it holds a user or a password: put an Authorization header into headers');
  if (hash !== '') refuse('url', 'it holds a fragment, which is never sent');
  const literal = isAddress(hostname);
  // A name is judged by its addresses when it is connected to; they may change.
  const refused = literal ? refuseAddress(hostname, hostname, allowed) : undefined;
  if (refused !== undefined) refuse('url', refused);
  const mayBePlain = isAllowedHost(hostname, allowed) || (literal ? isAllowedAddress(hostname, allowed) : allowed.networks.length > 0);
  if (protocol === 'http:' && !mayBePlain)
    refuse('url', 'expected https: plain http is only for targets that CASEBOOK_WEBHOOK_ALLOW names');
  return url.href;
}

function checkSecret(secret: string | undefined): string | undefined {
  if (secret === undefined || secret === '') return undefined;
  if (!/^[\x21-\x7e]{8,200}$/.test(secret)) refuse('secret', 'expected 8 to 200 printable ASCII characters without spaces');
  return secret;
}

function checkHeaders(list: readonly { name: string; value: string }[]): Record<string, string> {
  if (list.length > MOST_HEADERS) refuse('headers', `expected at most ${MOST_HEADERS}, got ${list.length}`);
  const headers: Record<string, string> = {};
  for (const { name, value } of list) {
    const key = name.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(key)) refuse('headers', `${JSON.stringify(name.slice(0, 100))} is no name of a header`);
    if (OWN_HEADERS.test(key)) refuse('headers', `${key} is set by Casebook or by HTTP itself`);
    if (key in headers) refuse('headers', `${key} comes twice`);
    if (!/^[\x20-\x7e]{0,2000}$/.test(value)) refuse('headers', `the value of ${key}: expected at most 2000 printable ASCII characters`);
    headers[key] = value;
  }
  return headers;
}

function refuse(field: string, why: string): never {
  throw new RequestError('BAD_INPUT', `${field}: ${why}.`);
}
