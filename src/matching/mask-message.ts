/** Text that is looked at, in characters; what comes after it seldom tells messages apart. */
const LONGEST_TEXT = 2000;
const MOST_TOKENS = 60;
const LONGEST_TEMPLATE = 400;

// One pass from left to right. Every piece is bounded or ends where the next begins, so that no text makes it slow.
const QUOTED = String.raw`\\*"[^"\\\s]{1,300}\\*"|(?<!\w)'[^'\s]{1,300}'(?!\w)`;
const ADDRESS_OF_A_PAGE = String.raw`[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s"'<>,;)\]]{1,500}`;
const TIME = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,:+Z-]{0,20}`;
const IPV6 = String.raw`(?<![\w:\]])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?:\/\d{1,3})?(?![\w:])`;
const PATH = String.raw`(?<![\w.)\]}])\/[\w@%+~.-][^\s"'\`,;:()[\]{}<>]{0,500}`;
const WORD = String.raw`\w[\w.@%+-]*(?:[/:]\w[\w.@%+-]*)*`;
const PIECE = new RegExp(`${QUOTED}|${ADDRESS_OF_A_PAGE}|${TIME}|${IPV6}|${PATH}|${WORD}|[{}]|\\*\\*\\*`, 'g');

/** The same placeholder several times over is a list, however long it is today. */
const LIST = /(\{[a-z]+\})(?:[,;|\s]+\1)+/g;

/** Words with digits that are words all the same. */
const KNOWN = new Set(
  'x509 ipv4 ipv6 http2 h2c k8s s3 ec2 ext2 ext3 ext4 utf8 sha1 sha256 md5 base64 i386 amd64 arm64 oauth2 l4 l7 tls1 v4 v6'.split(' '),
);
/** Most words, which are done with at once. */
const PLAIN = /^[A-Za-z]+$/;
const CODE = /^[EWS]\d{4}$/;
const VERSION_OF_API = /^v\d{1,2}(?:(?:alpha|beta)\d{1,2})?$/i;
const QUANTITY = /^\d[\d.,]*[A-Za-zµ%]{0,3}$/;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const HOST = /\.(?:com|net|org|io|cn|dev|cloud|local|internal|svc|cluster)$/i;

/** Names of objects that are words of messages too: masking them would tear the same message apart. */
const ORDINARY = new Set(
  'container containers pod pods node nodes service services image images volume volumes kubelet probe readiness liveness startup error errors failed fail failure back-off backoff http https server client api default kube-system kube-public deployment job cronjob secret configmap ingress namespace network storage data on in of to the a is not and or with for from by as be at app'.split(
    ' ',
  ),
);

/**
 * Makes the template of a message: what differs from one happening to the next becomes a placeholder (quoted words, addresses, paths,
 * times, numbers, words with digits, the given names), the rest stays. Depends on nothing but its arguments. Braces that were in the
 * text are doubled, as in the templates of knowledge.
 *
 * @param text a normalised message
 * @param names of the objects that the event is about
 */
export function maskMessage(text: string, names: readonly string[]): string {
  const own = new Set(names.filter((name) => name.length > 1 && !ORDINARY.has(name.toLowerCase())));
  const cut = text.length > LONGEST_TEXT;
  const masked = text
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
    .replace(PIECE, (piece) => maskPiece(piece, own))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(LIST, '$1');
  return shorten(masked, cut);
}

function maskPiece(piece: string, names: ReadonlySet<string>): string {
  if (PLAIN.test(piece)) return names.has(piece) ? '{name}' : piece;
  if (piece === '{' || piece === '}') return piece + piece;
  if (piece === '***') return '{secret}';
  const first = piece[0]!;
  if (first === '"' || first === '\\') return '"{text}"';
  if (first === "'") return "'{text}'";
  if (first === '/') return endOf(piece, '{path}');
  if (piece.includes('://')) return endOf(piece, '{url}');
  if (/^\d{4}-\d\d-\d\d[T ]/.test(piece)) return '{time}';
  if (first === ':' || /^[0-9a-fA-F]{1,4}:[0-9a-fA-F]{0,4}:/.test(piece)) return '{address}';
  if (piece.includes('/')) {
    if (/[\d.:_-]/.test(piece.replace(/[.-]+$/, ''))) return endOf(piece, '{path}');
    return piece
      .split('/')
      .map((word) => maskWord(word, names))
      .join('/');
  }
  return piece
    .split(':')
    .map((word) => maskWord(word, names))
    .join(':');
}

/** Full stops and hyphens behind a word are no part of it. */
function endOf(piece: string, mask: string): string {
  return mask + piece.slice(lengthOfWord(piece));
}

function lengthOfWord(text: string): number {
  let end = text.length;
  while (end > 0 && '.+-'.includes(text[end - 1]!)) end--;
  return end;
}

function maskWord(word: string, names: ReadonlySet<string>): string {
  const end = lengthOfWord(word);
  return maskOf(word.slice(0, end), names) + word.slice(end);
}

function maskOf(word: string, names: ReadonlySet<string>): string {
  // The kubelet writes a Pod as name_namespace.
  if (names.has(word) || (word.includes('_') && word.split('_').some((part) => names.has(part)))) return '{name}';
  if (!/\d/.test(word)) return HOST.test(word) ? '{host}' : word;
  if (CODE.test(word) || VERSION_OF_API.test(word) || KNOWN.has(word.toLowerCase())) return word;
  if (IPV4.test(word)) return '{address}';
  return QUANTITY.test(word) ? '{number}' : '{id}';
}

function shorten(masked: string, cut: boolean): string {
  const tokens = masked.split(' ');
  let length = 0;
  let kept = 0;
  while (kept < tokens.length && kept < MOST_TOKENS && length + tokens[kept]!.length <= LONGEST_TEMPLATE)
    length += tokens[kept++]!.length + 1;
  if (kept === tokens.length && !cut) return masked;
  // The last word of a text that was cut off may be half a word.
  const whole = tokens.slice(0, kept === tokens.length ? kept - 1 : kept);
  return [...whole, '{*}'].join(' ');
}
