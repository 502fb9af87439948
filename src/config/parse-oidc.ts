import { isLoopback } from './is-loopback.js';

/** Whose JSON Web Tokens are taken, and what they allow. */
export interface OidcConfig {
  /** `CASEBOOK_OIDC_ISSUER`: exactly as the tokens name it in `iss`. */
  issuer: string;
  /** `CASEBOOK_OIDC_AUDIENCE`: names of Casebook, one of which a token has to be for. */
  audience: readonly string[];
  /** `CASEBOOK_OIDC_JWKS_URL`: where the issuer's keys are; undefined to ask the issuer. */
  jwksUrl: string | undefined;
  /** `CASEBOOK_OIDC_ROLE_CLAIM`: claim that roles are read from, a path with dots. */
  roleClaim: string;
  /** `CASEBOOK_OIDC_ROLE_MAPPING`: role of a value of that claim; `*` for whoever has a valid token. */
  roleMapping: ReadonlyMap<string, 'viewer' | 'operator' | 'admin'>;
  /** `CASEBOOK_OIDC_CLUSTERS_CLAIM`: claim with the names of the clusters that may be seen; undefined for all. */
  clustersClaim: string | undefined;
  /** `CASEBOOK_OIDC_NAMESPACES_CLAIM`: claim with the names of the namespaces that may be seen; undefined for all. */
  namespacesClaim: string | undefined;
}

/** The variables of OIDC as they were set. */
export interface OidcVariables {
  CASEBOOK_OIDC_ISSUER?: string | undefined;
  CASEBOOK_OIDC_AUDIENCE?: string | undefined;
  CASEBOOK_OIDC_JWKS_URL?: string | undefined;
  CASEBOOK_OIDC_ROLE_CLAIM?: string | undefined;
  CASEBOOK_OIDC_ROLE_MAPPING?: string | undefined;
  CASEBOOK_OIDC_CLUSTERS_CLAIM?: string | undefined;
  CASEBOOK_OIDC_NAMESPACES_CLAIM?: string | undefined;
}

/** What is wrong with a variable. */
interface Fault {
  variable: string;
  message: string;
}

const ROLE = /^(viewer|operator|admin)$/;
const ADDRESS = 'an https address, or http on this machine, without user, password or fragment';

/** Reads the variables of OIDC together: all that is needed, or none. Undefined when none is set. */
export function parseOidc(set: OidcVariables): { oidc: OidcConfig | undefined; problems: Fault[] } {
  const problems: Fault[] = [];
  const refuse = (variable: string, expected: string): void => void problems.push({ variable, message: `expected ${expected}` });
  const named = Object.entries(set).filter(([name, value]) => name.startsWith('CASEBOOK_OIDC_') && value !== undefined);
  if (named.length === 0) return { oidc: undefined, problems };
  const issuer = set.CASEBOOK_OIDC_ISSUER ?? '';
  if (!isAddress(issuer) || issuer.includes('?'))
    refuse('CASEBOOK_OIDC_ISSUER', `the issuer as its tokens name it in iss: ${ADDRESS} nor query`);
  const audience = listOf(set.CASEBOOK_OIDC_AUDIENCE);
  if (audience.length === 0)
    refuse('CASEBOOK_OIDC_AUDIENCE', 'the name that the tokens have for Casebook in aud, several separated by commas');
  const jwksUrl = set.CASEBOOK_OIDC_JWKS_URL;
  if (jwksUrl !== undefined && !isAddress(jwksUrl)) refuse('CASEBOOK_OIDC_JWKS_URL', ADDRESS);
  const pairs = listOf(set.CASEBOOK_OIDC_ROLE_MAPPING).map((pair): [string, string] => {
    const at = pair.lastIndexOf('=');
    return [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()];
  });
  const wrong = pairs.find(([value, role]) => value === '' || !ROLE.test(role));
  if (pairs.length === 0 || wrong)
    refuse(
      'CASEBOOK_OIDC_ROLE_MAPPING',
      `pairs of value=role separated by commas, with the roles viewer, operator and admin, such as sre=admin,*=viewer${wrong ? `; got ${JSON.stringify(wrong.join('='))}` : ''}`,
    );
  if (new Set(pairs.map(([value]) => value)).size < pairs.length) refuse('CASEBOOK_OIDC_ROLE_MAPPING', 'each value once');
  const oidc: OidcConfig = {
    issuer,
    audience,
    jwksUrl,
    roleClaim: set.CASEBOOK_OIDC_ROLE_CLAIM ?? 'roles',
    roleMapping: new Map(pairs as [string, 'viewer' | 'operator' | 'admin'][]),
    clustersClaim: set.CASEBOOK_OIDC_CLUSTERS_CLAIM,
    namespacesClaim: set.CASEBOOK_OIDC_NAMESPACES_CLAIM,
  };
  return { oidc: problems.length > 0 ? undefined : oidc, problems };
}

/** True for an address that keys may be fetched from: nobody on the way can put others in their place. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username || password || hash) return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')));
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
