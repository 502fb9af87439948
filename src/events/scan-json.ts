/** Where a JSON value ends, or where it stops being JSON and what should have stood there. */
export interface JsonScan {
  end: number;
  /** Empty when the value is complete. */
  expected: string;
}

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Scans the one JSON value that starts at an offset, by the grammar of `JSON.parse`, but says where the value ends or
 * where exactly it breaks, throws nothing, and needs no call stack however deep the value nests.
 */
export function scanJson(text: string, from: number): JsonScan {
  const scanner = new Scanner(text, from);
  scanner.scan();
  return { end: scanner.at, expected: scanner.expected };
}

/** Skips what JSON takes as white space. */
export function skipJsonSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
}

/** Every method moves `at` past what it reads, or leaves it where the text breaks, sets `expected` and gives false. */
class Scanner {
  at: number;
  expected = '';
  /** The brackets that close what is open, innermost last. */
  private readonly closers: number[] = [];
  private readonly text: string;

  constructor(text: string, from: number) {
    this.text = text;
    this.at = skipJsonSpace(text, from);
  }

  scan(): void {
    while (this.startValue()) if (!this.continueAfterValue()) return;
  }

  /** Reads a scalar or an empty container, or opens a container and reads on to its first value. */
  private startValue(): boolean {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== OPEN_OBJECT && code !== OPEN_ARRAY) return this.scalar(code);
      const closer = code + 2;
      this.at = skipJsonSpace(this.text, this.at + 1);
      if (this.text.charCodeAt(this.at) === closer) return this.skip(1);
      this.closers.push(closer);
      if (closer === CLOSE_OBJECT && !this.key("a quoted key or '}'")) return false;
    }
  }

  /** Closes what ends here and moves on to the next value; false when there is none or the text breaks. */
  private continueAfterValue(): boolean {
    for (;;) {
      const closer = this.closers.at(-1);
      if (closer === undefined) return false;
      this.at = skipJsonSpace(this.text, this.at);
      const code = this.text.charCodeAt(this.at);
      if (code === COMMA) {
        this.at = skipJsonSpace(this.text, this.at + 1);
        return closer !== CLOSE_OBJECT || this.key('a quoted key');
      }
      if (code !== closer) return this.fail(`',' or '${String.fromCharCode(closer)}'`);
      this.closers.pop();
      this.at++;
    }
  }

  private key(expected: string): boolean {
    if (this.text.charCodeAt(this.at) !== QUOTE) return this.fail(expected);
    if (!this.string()) return false;
    this.at = skipJsonSpace(this.text, this.at);
    if (this.text.charCodeAt(this.at) !== COLON) return this.fail("':'");
    this.at = skipJsonSpace(this.text, this.at + 1);
    return true;
  }

  private scalar(code: number): boolean {
    if (code === QUOTE) return this.string();
    if (code === MINUS || isDigit(code)) return this.number();
    for (const word of ['true', 'false', 'null']) if (this.text.startsWith(word, this.at)) return this.skip(word.length);
    return this.fail('a JSON value');
  }

  private string(): boolean {
    for (this.at++; ; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) return this.skip(1);
      if (!(code >= 32)) return this.fail(code < 32 ? 'an escaped control character' : "'\"'");
      if (code === BACKSLASH && !this.escape()) return false;
    }
  }

  private escape(): boolean {
    const letter = this.text.charAt(this.at + 1);
    if (letter !== 'u') return letter !== '' && '"\\/bfnrt'.includes(letter) ? this.skip(1) : this.fail('an escape of JSON');
    return /^[0-9a-fA-F]{4}$/.test(this.text.slice(this.at + 2, this.at + 6)) ? this.skip(5) : this.fail('an escape of JSON');
  }

  private number(): boolean {
    if (this.text.charCodeAt(this.at) === MINUS) this.at++;
    if (this.text.charAt(this.at) === '0') this.at++;
    else if (!this.digits()) return false;
    if (this.text.charAt(this.at) === '.') {
      this.at++;
      if (!this.digits()) return false;
    }
    if (this.text.charAt(this.at) !== 'e' && this.text.charAt(this.at) !== 'E') return true;
    this.at++;
    if (this.text.charAt(this.at) === '+' || this.text.charAt(this.at) === '-') this.at++;
    return this.digits();
  }

  private digits(): boolean {
    const from = this.at;
    while (isDigit(this.text.charCodeAt(this.at))) this.at++;
    return this.at > from || this.fail('a digit');
  }

  private skip(length: number): true {
    this.at += length;
    return true;
  }

  private fail(expected: string): false {
    this.expected = expected;
    return false;
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
