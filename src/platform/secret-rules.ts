/** One way in which secrets stand in texts. */
export interface SecretRule {
  /** Cheap look whether the rule can have anything to do; every text with such a secret has it. */
  trigger: RegExp;
  /** Linear in the length of the text: whatever repeats before a match is certain is bounded. */
  pattern: RegExp;
  mask: string | ((...match: string[]) => string);
}

const MASK = '***';

/** Names of which the value is a secret whenever they have one, and others that are words of their own. */
const STRONG = String.raw`passw(?:or)?d|pwd|passphrase|passcode|(?:api|access|account|secret|private)[-_]?key(?:[-_]?secret)?|(?:client|app|shared)[-_]?secret|(?:auth|access|refresh|id|session|security|identity|registry)[-_]?token|client[-_]?key[-_]?data|tls\.key|\.?dockerconfigjson`;
const WEAK = String.raw`secret|token|credentials?|authorization|cookie|signature|sig|_?auth|\w[_-]pass`;
/** A name alone or as the end of a longer one: `dbPassword`, `X-Api-Key`. What goes on behind it is another name: `secretName`. */
const NAME = String.raw`[\w.-]{0,64}?(?:${STRONG}|${WEAK})`;
const STRONG_END = new RegExp(`(?:${STRONG})$`, 'i');
/** A name and a sign behind it that gives it a value. */
const NAMED =
  /(?:pass|passw(?:or)?d|pwd|passphrase|passcode|secret|token|credentials?|authorization|cookie|signature|sig|auth|key|key[-_]?data|configjson)[\\"']{0,4}\s{0,4}[:=]/i;

/** A file, or an object as `namespace/name`: where a secret is, not what it is. */
const PLACE = /^(?:\/[\w./-]+\.(?:pem|key|crt|cer|txt|json|ya?ml|conf|p12|jks)|[a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9.-]*)$/;
/** What says that there is none, or whether there is one. */
const NO_SECRET = /^(?:true|false|null|nil|none|undefined|<nil>|<none>)$/i;
/** The working folder of a process. */
const FOLDER = /^(?:old)?pwd$/i;

/** Tokens that are written like names: a UUID, and the token with which a node joins a cluster. */
const LIKE_A_NAME = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z0-9]{6}\.[a-z0-9]{16})$/i;

/** Words of a sentence have no digits; names of objects have no capitals, and dashes between their words. */
function looksRandom(value: string, least: number): boolean {
  if (LIKE_A_NAME.test(value)) return true;
  if (value.length < least || !/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  return (/[A-Z]/.test(value) || value.length >= least + 8) && !/^[a-z0-9]+(?:[-./][a-z0-9]+)+$/.test(value);
}

function isSecret(name: string, value: string): boolean {
  if (value.startsWith(MASK) || PLACE.test(value) || NO_SECRET.test(value)) return false;
  if (FOLDER.test(name)) return !value.startsWith('/');
  return !/auth$/i.test(name) || looksRandom(value, 8) || /==?$/.test(value);
}

/** `name=value`, in addresses, forms, environments, connection strings and lines of logs. */
function maskAssigned(all: string, before: string, name: string, sign: string, quote = '', value = '', end = ''): string {
  return isSecret(name, value) && value !== '' ? before + name + sign + quote + MASK + end : all;
}

/** `name: value` without quotes, in headers, YAML and Go structs; behind a word such as `token:` sentences go on as well. */
function maskColon(all: string, before: string, name: string, sign: string, value: string, after: string): string {
  if (!isSecret(name, value)) return all;
  const masked = before + name + sign + MASK + after;
  if (!STRONG_END.test(name)) return looksRandom(value, 16) ? masked : all;
  const tight = sign.trim() === sign;
  if (tight && !/^[{,]$/.test(before)) return all;
  return after !== ' ' || (value.length >= 6 && /[^a-z]/i.test(value) && !/^[\w.]+[,.:]$/.test(value)) ? masked : all;
}

/** An entry of a map as Go prints it: `map[password:hunter2 user:bob]`. */
const GO_ENTRY = new RegExp(String.raw`([[\s])(${NAME}):(?!map\[)([^\s\]]+)`, 'gi');

function maskMap(all: string): string {
  return all.replace(GO_ENTRY, (entry: string, before: string, name: string, value: string) =>
    isSecret(name, value) && (STRONG_END.test(name) || looksRandom(value, 16)) ? `${before}${name}:${MASK}` : entry,
  );
}

const rule = (trigger: RegExp, pattern: RegExp, mask: SecretRule['mask']): SecretRule => ({ trigger, pattern, mask });

/** Tokens that are known by how they begin: of Casebook, GitHub, GitLab, Slack, clouds, registries and other services. */
const PREFIXED = [
  String.raw`cb_[\w-]{20,}`,
  String.raw`gh[pousr]_\w{20,}|github_pat_\w{20,}|gl(?:pat|dt|rt|cbt|ptt|ft|agent|soat)-[\w-]{16,}`,
  String.raw`xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}`,
  String.raw`(?:AKIA|ASIA)[0-9A-Z]{12,}|LTAI\w{12,}|STS\.[A-Za-z0-9]{20,}|AKID\w{13,}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}`,
  String.raw`sk-(?=[\w-]{0,80}[A-Z])[\w-]{20,}|[sr]k_(?:live|test)_\w{16,}|SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`npm_[A-Za-z0-9]{30,}|pypi-[\w-]{40,}|dckr_[po]at_[\w-]{20,}|hv[sbr]\.[\w-]{20,}|do[opr]_v1_[0-9a-f]{40,}|dapi[0-9a-f]{32}`,
  String.raw`glsa_\w{20,}|NRAK-[A-Z0-9]{20,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|shpat_[0-9a-f]{20,}`,
].join('|');

const WEBHOOK = [
  String.raw`hooks\.slack\.com\/(?:services|workflows|triggers)\/`,
  String.raw`open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/`,
  String.raw`webhook\.office\.com\/webhookb2\/`,
  String.raw`qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=`,
  String.raw`discord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/`,
  String.raw`api\.telegram\.org\/bot`,
].join('|');

/** All of them, in the order in which they are applied. */
export const SECRET_RULES: readonly SecretRule[] = [
  // What is cut off before its end is a secret to its end.
  rule(
    /-----BEGIN /,
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    '***PRIVATE KEY***',
  ),
  rule(/LS0tLS1CRUdJTi/, /LS0tLS1CRUdJTi(?:BSU0EgUFJJ|BFQyBQUklW|BQUklWQ|BPUEVOU1NI|BFTkNSWVBU|BEU0EgUFJJ)[\w+/=-]*/g, MASK),
  // user:password@ in an address. A port is none, and behind name:tag@ stands the digest of an image.
  rule(
    /:\/\/[^\s@]{1,400}@/,
    /(:\/\/[^\s:@/"'\\<>[\]]{0,100}:)(?!\d{1,5}(?:[/?#,\s]|$))[^\s@"'\\<>]{1,256}(?:@[^\s@"'\\/:?#<>]{0,256}(?=@))*@(?!sha\d{3}:)/g,
    `$1${MASK}@`,
  ),
  // A token alone before the host.
  rule(/:\/\/[^\s@]{1,400}@/, /(:\/\/)(?=[^\s@/]{0,255}\d)[\w.~+-]{20,255}@(?!sha\d{3}:)/g, `$1${MASK}@`),
  rule(/@(?:tcp|unix|udp)\(/, /([\w.-]{1,64}:)[^\s@/"']{1,128}(@(?:tcp|unix|udp)\()/g, `$1${MASK}$2`),
  rule(/jdbc:oracle/, /(jdbc:oracle:\w{1,10}:[^\s/@:]{1,64}\/)[^\s@/"']{1,128}(?=@)/g, `$1${MASK}`),
  // Whatever stands behind the scheme of a header, unless a sentence goes on there.
  rule(
    /authorization/i,
    /(authorization["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}(?:Bearer|Token|ApiKey|Negotiate)\s{1,4})(?:(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{6,}|[\w.~+/=-]{12,}(?=["'\\,;\r\n]|$))/gi,
    `$1${MASK}`,
  ),
  rule(/bearer\s/i, /\b(Bearer\s{1,4})(?=[\w.~+/=-]{0,200}\d|[\w.~+/-]{24})[\w.~+/=-]{6,}/gi, `$1${MASK}`),
  rule(/basic\s/i, /\b(Basic\s{1,4})(?=[\w+/-]{0,200}\d|[\w+/-]{6,200}={1,2}(?:[^\w"']|$))[\w+/=-]{8,}/gi, `$1${MASK}`),
  // A JSON Web Token, whole or cut off.
  rule(/eyJ/, /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, MASK),
  rule(
    /cb_|gh[pousr]_|github_pat|gl(?:pat|dt|rt|cbt|ptt|ft|agent|soat|sa)[-_]|xox|xapp|AKI[AD]|ASIA|LTAI|STS\.|AIza|ya29|GOCSPX|sk[-_]|rk_|SG\.|npm_|pypi-|dckr_|hv[sbr]\.|do[opr]_|dapi|NRAK|AGE-|shpat/,
    new RegExp(String.raw`(?<!\w)(?:${PREFIXED})`, 'g'),
    MASK,
  ),
  rule(
    /slack\.com|feishu|larksuite|weixin|discord|telegram|webhookb2/,
    new RegExp(String.raw`(${WEBHOOK})(?!\*)[\w:/@+-]{8,}`, 'g'),
    `$1${MASK}`,
  ),
  rule(
    /cookie["'\\]{0,3}\s{0,3}:/i,
    /(\b(?:set-)?cookie["'\\]{0,3}\s{0,3}:\s{0,3}["'\\]{0,3})(?=[^\s=;"*]{1,64}=)[^\r\n"\\]+/gi,
    `$1${MASK}`,
  ),
  // An entry of a container's environment, as JSON and as Go prints it.
  rule(
    /value/i,
    new RegExp(
      String.raw`(name\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']${NAME}\\{0,3}["']\s{0,4},\s{0,4}\\{0,3}["']value\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["'])[^"'\\]+`,
      'gi',
    ),
    `$1${MASK}`,
  ),
  rule(
    /value:/i,
    new RegExp(String.raw`(name:\s{0,4}["']?${NAME}["']?\s{0,4}\n\s{0,40}value:\s{0,4}["']?)(?!\*)[^\s"']+`, 'gi'),
    `$1${MASK}`,
  ),
  rule(/map\[/, /map\[[^\]\r\n]{1,4096}/g, maskMap),
  rule(/Value:/, new RegExp(String.raw`(Name:\s?${NAME},\s?Value:\s?)[^\s,}]+`, 'gi'), `$1${MASK}`),
  // "token": "…", also cut off before the closing quote, and inside a JSON text that is itself quoted.
  rule(
    NAMED,
    new RegExp(String.raw`(["'])(${NAME})(["']\s{0,4}:\s{0,4})(["'])((?:\\[^]|(?!\4)[^\\])*)(\4|\\?$)`, 'gi'),
    (all, open, name, sign, quote, value, end) => maskAssigned(all!, open!, name!, sign!, quote, value, end),
  ),
  rule(
    NAMED,
    new RegExp(String.raw`(\\{1,8}["'])(${NAME})(\\{1,8}["']\s{0,4}:\s{0,4})(\\{1,8}["'])((?:(?!(?<!\\)\4)[^])*)(\4|$)`, 'gi'),
    (all, open, name, sign, quote, value, end) => maskAssigned(all!, open!, name!, sign!, quote, value, end),
  ),
  rule(NAMED, new RegExp(String.raw`(["']${NAME.replace(`|${WEAK}`, '')}["']\s{0,4}:\s{0,4})\d+`, 'gi'), `$1${MASK}`),
  // name=value, the value quoted or not
  rule(
    NAMED,
    new RegExp(String.raw`(^|[\s?&;,{('"|=]|\\["'nt]|--)(${NAME})(\s{0,4}=\s{0,4})(\\{0,3}["'])((?:(?!\4)[^\r\n])+)(\4|$)`, 'gim'),
    (all, open, name, sign, quote, value, end) => maskAssigned(all!, open!, name!, sign!, quote, value, end),
  ),
  rule(
    NAMED,
    new RegExp(String.raw`(^|[\s?&;,{('"|=]|\\["'nt]|--)(${NAME})(\s{0,4}=\s{0,4})(?![=>])([^\s&;,"'})\\]+)`, 'gim'),
    (all, open, name, sign, value) => maskAssigned(all!, open!, name!, sign!, '', value),
  ),
  // name: "value", in YAML and in sentences
  rule(
    NAMED,
    new RegExp(String.raw`(^|[\s,{;]|\\["'nt])(${NAME})(\s{0,4}:\s{0,8})(\\{0,3}["'])((?:(?!\4)[^\r\n])+)(\4|$)`, 'gim'),
    (all, before, name, sign, quote, value, end) =>
      STRONG_END.test(name!) || looksRandom(value!, 16) ? maskAssigned(all!, before!, name!, sign!, quote, value, end) : all!,
  ),
  // name: value without quotes
  rule(
    NAMED,
    new RegExp(String.raw`(^|[\s,{;'"]|\\["'nt])(${NAME})(\s{0,4}:\s{0,8})(?!["'\\{[]|Bearer\s|Basic\s|//)([^\s,"'}\\)]+)([^]|$)`, 'gim'),
    (all, before, name, sign, value, after) => maskColon(all!, before!, name!, sign!, value!, after!),
  ),
  rule(
    /密码|口令|：/,
    /((?:密码|口令)\s{0,4}[:：=]\s{0,4}["']?|(?:passw(?:or)?d|pwd)\s{0,4}：\s{0,4}["']?)(?!\*\*\*)[!#-&(-+\--:<-~]{4,}/gi,
    `$1${MASK}`,
  ),
  // --password value; behind a flag sentences go on, too
  rule(
    /--?[\w-]*(?:passw|token|secret|key)[\w-]*\s|\s-u\s|--user/i,
    new RegExp(String.raw`(\s--?(?:${NAME})\s{1,3}["']?)(?=[^\s"',;]{0,64}\d)(?!-)([^\s"',;*]{6,})`, 'gi'),
    `$1${MASK}`,
  ),
  rule(/curl/, /(\bcurl\b[^\r\n]{0,200}?\s(?:-u|--user)[\s=]{1,2}["']?[^\s:"']{1,64}:)[^\s"']+/g, `$1${MASK}`),
];
