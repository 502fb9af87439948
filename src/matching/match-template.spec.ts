import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../test/support/cpu-time.js';
import { parseTemplate, type TemplatePart } from '../knowledge/parse-template.js';
import { seededRandom, type SeededRandom } from '../../test/support/seeded-random.js';
import { compileTemplate } from './compile-template.js';
import { matchTemplate } from './match-template.js';
import { squeezeText } from './squeeze-text.js';

function captured(template: string, text: string): Record<string, string> | undefined {
  return matchTemplate(compileTemplate(template), squeezeText(text))?.captured;
}

describe('matchTemplate', () => {
  it('ignores white space, backslashes, letter case and the shape of quotes', () => {
    expect(captured('no space left on "device"', 'write: No  space\n left\ton \\"devi\nce\\"')).toEqual({});
    expect(captured("couldn't load", 'Couldn’t load')).toEqual({});
    expect(captured('Deprecated. For verbose', 'Deprecated.\\n\\tFor verbose')).toEqual({});
  });

  it('starts and ends at word borders', () => {
    expect(captured('LimitExceeded', 'RequestLimitExceeded')).toBeUndefined();
    expect(captured('exit status 6', 'exit status 64')).toBeUndefined();
    expect(captured('exit status 6', 'exit status 64, exit status 6.')).toEqual({});
    expect(captured('{*}Throttling{*}', 'Code:UserThrottlingX')).toEqual({});
    expect(captured('Throttling', 'Code:UserThrottling')).toBeUndefined();
    expect(captured('Pod 网络', '无法配置Pod网络，请重试')).toEqual({});
  });

  it('minds word borders where white space parts a word from a placeholder', () => {
    expect(captured('unable to get metric {metric}: {error}', 'unable to get metrics for resource cpu: no metrics')).toBeUndefined();
    expect(captured('unable to get metric{rest}: no', 'unable to get metrics for resource cpu: no metrics')).toEqual({
      rest: 's for resource cpu',
    });
    expect(captured('pod {pod} not found', 'pod a cannot be, not found')).toEqual({ pod: 'a cannot be,' });
  });

  it('captures text up to the next literal, and one word at the end', () => {
    expect(captured('Secret {secret} has no qcloud cert id', 'the Secret my-tls has no qcloud cert ID')).toEqual({ secret: 'my-tls' });
    expect(captured('persistentvolumeclaim {claim}', 'persistentvolumeclaim "data-0" not found')).toEqual({ claim: 'data-0' });
    expect(captured('exist lb: {lb}', 'exist lb: lb-1a2b. Try again')).toEqual({ lb: 'lb-1a2b' });
    expect(captured('exist lb: {lb}', 'exist lb: ')).toBeUndefined();
    expect(captured('{what} not found', 'Error: secret "kbot" not found')).toEqual({ what: 'kbot' });
    expect(captured('{what} not found', 'not found')).toBeUndefined();
  });

  it('gives a wrapped or escaped capture back whole', () => {
    expect(captured('Secret "{secret}" not found', 'Secret \\"my-ve\n  ry-long\\" not found')).toEqual({ secret: 'my-very-long' });
    expect(captured('error: {text}; end', 'error: two\nwords here; end')).toEqual({ text: 'two words here' });
  });

  it('takes digits for an int, also across a line break where the next literal asks for it', () => {
    expect(captured('{count:int} Insufficient memory', '0/12 nodes: 3 Insufficient memory')).toEqual({ count: '3' });
    expect(captured('port {port:int}', 'port 80 443')).toEqual({ port: '80' });
    expect(captured('port {port:int}', 'port http')).toBeUndefined();
    expect(captured('port {port:int} of', 'port 80\n80 of')).toEqual({ port: '8080' });
    expect(captured('order:{order:int}', 'order:0x3')).toBeUndefined();
  });

  it('takes braces that are doubled literally', () => {
    expect(captured('taint {{{taint}: {*}}}, that', 'had taint {node.kubernetes.io/disk: }, that')).toEqual({
      taint: 'node.kubernetes.io/disk',
    });
  });

  it('stays linear on texts made to be slow', async () => {
    const text = squeezeText('a b '.repeat(16_000));
    const took = await cpuTime(() => expect(matchTemplate(compileTemplate('a {x} b {y} a {z} c'), text)).toBeUndefined());
    expect(took).toBeLessThan(500);
  });

  it('agrees with a plain regular expression on random templates and texts', () => {
    const random = seededRandom(20_270_311);
    let matches = 0;
    for (let round = 0; round < 30_000; round++) {
      const template = randomTemplate(random);
      const text = randomText(random, 8 + random.below(30));
      const expected = byRegExp(template, text);
      const actual = captured(template, text);
      if (actual) matches++;
      const agrees =
        expected && actual ? JSON.stringify(plain(actual, expected)) === JSON.stringify(plain(expected, expected)) : expected === actual;
      if (!agrees) expect.fail(`template ${JSON.stringify(template)} on ${JSON.stringify(text)}: ${JSON.stringify({ expected, actual })}`);
    }
    expect(matches).toBeGreaterThan(2000);
  });
});

const pieces = ['a', 'b', ' a', 'b ', 'ab', ' ba ', 'a b', '"', '(', ': ', 'b1', '.'];

function randomTemplate(random: SeededRandom): string {
  for (;;) {
    let names = 0;
    const parts = Array.from({ length: 1 + random.below(5) }, () =>
      random.chance(0.6) ? random.pick(pieces) : random.chance(0.3) ? '{*}' : random.chance(0.5) ? `{n${names++}:int}` : `{n${names++}}`,
    );
    try {
      parseTemplate(parts.join(''));
      return parts.join('');
    } catch {
      continue;
    }
  }
}

function randomText(random: SeededRandom, length: number): string {
  const letters = ['a', 'b', 'a', 'b', 'A', '1', '2', ' ', ' ', '\n', '"', '(', ')', ':', '.', ',', '\\', '\\n', '“'];
  return Array.from({ length }, () => random.pick(letters)).join('');
}

/** The rules of docs/knowledge.md once more, as an expression over a text whose escapes are undone. */
function byRegExp(template: string, text: string): Record<string, string> | undefined {
  const plainText = text
    .replaceAll(/\\[nrt]/g, '\n')
    .replaceAll('\\', '\u0001')
    .replaceAll(/[“”]/g, '"');
  const found = expressionOf(parseTemplate(template)).exec(plainText);
  return found ? { ...found.groups } : undefined;
}

const gap = '[\\s\\u0001]*';
const digits = '\\d(?:\\u0001*\\d)*(?!\\u0001*\\d)';
const wrapped = `(?:[\\s\\u0001]*\\n[\\s\\u0001]*${digits})*?`;
const ends = '"\'`,;)\\]}>，；。）】》、」';
const openers = '"\'`(\\[{<（【《「';

function expressionOf(parts: TemplatePart[]): RegExp {
  let source = '';
  for (const [i, part] of parts.entries()) {
    const next = parts[i + 1];
    const first = i === 0;
    const last = i === parts.length - 1;
    if ('any' in part) source += first || last ? '' : '[\\s\\S]*?';
    else if ('literal' in part) {
      const letters = [...part.literal.replaceAll(/\s/g, '')];
      const afterFree = !first && !('digits' in parts[i - 1]!) && /^\s/.test(part.literal);
      const beforeFree = next && !('digits' in next) && /\s$/.test(part.literal);
      if ((first || afterFree) && /\w/.test(letters[0]!)) source += '(?<!\\w)';
      source += letters.map((c) => c.replace(/[.*+?^${}()|[\]\\]/, '\\$&')).join(gap);
      if ((last || beforeFree) && /\w/.test(letters.at(-1)!)) source += '(?!\\w)';
    } else if ('digits' in part) {
      if (first) source += '(?<!\\w)';
      source += `(?<${part.digits}>${digits}${!first && i > 0 && 'literal' in parts[i - 1]! && next && 'literal' in next ? wrapped : ''})`;
      if (last) source += '(?!\\w)';
    } else if (first) source += `^${gap}[^\\s\\u0001][\\s\\S]*?`;
    else if (last)
      source += `(?:[${openers}]${gap})*(?![${openers}])(?=[.:!?\\u0001]*[^\\s\\u0001${ends}.:!?])(?<${part.capture}>[^\\s\\u0001${ends}](?:\\u0001*[^\\s\\u0001${ends}])*)`;
    else source += `(?<${part.capture}>[^\\s\\u0001][\\s\\S]*?)`;
    if (!last) source += gap;
  }
  return new RegExp(source, 'i');
}

/** Captures without what the two sides may write differently: white space, quotes around, and a stop at the end. */
function plain(values: Record<string, string>, compared: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(compared).map((name) => [
      name,
      (values[name] ?? '')
        .replaceAll(/[\s\\\u0001"“]/g, '')
        .replace(/[.:!?]+$/, '')
        .toLowerCase(),
    ]),
  );
}
