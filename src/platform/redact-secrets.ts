const URL_PASSWORD = /(postgres(?:ql)?:\/\/[^\s:@/"]*:)[^\s"]*?@/g;
const BEARER = /(Bearer\s+)[\w.~+/=-]+/gi;

/** Fields whose whole value is a secret, at the top of a log record and one level below. */
export const SECRET_FIELDS = ['authorization', 'cookie', 'token', 'adminToken', 'password', 'databaseUrl', 'DATABASE_URL'];

/** Takes passwords of PostgreSQL addresses and bearer tokens out of a text, wherever they stand in it. */
export function redactSecrets(text: string): string {
  return text.replace(URL_PASSWORD, '$1***@').replace(BEARER, '$1***');
}
