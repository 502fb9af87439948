import type { CompiledTemplate, TemplateGroup } from './compile-template.js';
import { originalCapture } from './original-capture.js';
import { BLANK_GAP, findLiteral, isBorder, isDigitCode, LINE_GAP, standsAt, type SqueezedText } from './squeeze-text.js';

/** Where a template was found: positions in the squeezed text, the end not included. */
export interface TemplateMatch {
  start: number;
  end: number;
  captured: Record<string, string>;
}

/** Positions that a group of literals was found at; `digits` holds start and end of each run of digits, in order. */
interface GroupMatch {
  start: number;
  end: number;
  digits: number[];
}

/**
 * Finds the template in the text, or undefined. Each piece is taken where it first fits, from left to right, which finds
 * a match wherever there is one, because each piece is judged by itself.
 */
export function matchTemplate(template: CompiledTemplate, text: SqueezedText): TemplateMatch | undefined {
  const { groups, freeBefore, freeAfter } = template;
  const last = groups.length - 1;
  const found: GroupMatch[] = [];
  let from = 0;
  for (let g = 0; g <= last; g++) {
    const before = freeBefore[g];
    if (before) from++;
    const match = findGroup(groups[g]!, text, from, g === last && !!freeAfter);
    if (!match) return undefined;
    found.push(match);
    from = match.end;
  }
  return capture(template, text, found);
}

/** True if the template stands in the text. */
export function containsTemplate(template: CompiledTemplate, text: SqueezedText): boolean {
  return matchTemplate(template, text) !== undefined;
}

function findGroup(group: TemplateGroup, text: SqueezedText, from: number, wordAfter: boolean): GroupMatch | undefined {
  const first = group.literals[0]!;
  for (let at = findLiteral(text, first, from); at >= 0; at = findLiteral(text, first, at + 1)) {
    const digits: number[] = [];
    let start = at;
    if (group.leadingDigits !== undefined) {
      start = digitsBefore(text, at, from);
      if (start === at) continue;
      digits.push(start, at);
    }
    if (group.startBorder && !isBorder(text, start)) continue;
    const end = endOfGroup(group, text, at, digits);
    if (end < 0 || (group.endBorder && !isBorder(text, end)) || (wordAfter && wordAt(text, end).end === -1)) continue;
    return { start, end, digits };
  }
  return undefined;
}

function endOfGroup(group: TemplateGroup, text: SqueezedText, at: number, digits: number[]): number {
  let pos = at;
  for (let i = 0; i < group.literals.length; i++) {
    const literal = group.literals[i]!;
    if (i > 0 && !standsAt(text, literal, pos)) return -1;
    pos += literal.length;
    if (group.digitsAfter[i] === undefined) continue;
    const end = digitsAfter(text, pos, group.literals[i + 1]);
    if (end === pos) return -1;
    digits.push(pos, end);
    pos = end;
  }
  return pos;
}

/** Longer runs are no numbers and no words; the limits keep a text made for it from being walked over and over. */
const longestNumber = 40;
const longestWord = 512;

/** Digits end at white space, except that a number broken by a line goes on where only so the next literal follows. */
function digitsAfter(text: SqueezedText, start: number, next: Uint16Array | undefined): number {
  const limit = start + longestNumber;
  let end = start;
  for (;;) {
    while (end < limit && end < text.length && isDigitCode(text.codes[end]!) && (end === start || text.gap[end]! < BLANK_GAP)) end++;
    if (end === start || !next || standsAt(text, next, end)) return end;
    if (end >= text.length || text.gap[end] !== LINE_GAP || !isDigitCode(text.codes[end]!)) return end;
    end++;
  }
}

function digitsBefore(text: SqueezedText, end: number, from: number): number {
  let start = end;
  while (
    start > from &&
    end - start < longestNumber &&
    isDigitCode(text.codes[start - 1]!) &&
    (start === end || text.gap[start]! < BLANK_GAP)
  )
    start--;
  return start;
}

const wordEnds = new Set([...`"'\`,;)]}>，；。）】》、「」`].map((c) => c.charCodeAt(0)));
const wordOpeners = new Set([...`"'\`([{<（【《「`].map((c) => c.charCodeAt(0)));
const trailing = new Set([...'.:!?'].map((c) => c.charCodeAt(0)));

/** The word at a position, without opening quotes and a closing full stop; end -1 where there is none. */
function wordAt(text: SqueezedText, at: number): { start: number; end: number } {
  let start = at;
  while (start < text.length && start < at + 16 && wordOpeners.has(text.codes[start]!)) start++;
  let end = start;
  while (end < text.length && end < start + longestWord && !wordEnds.has(text.codes[end]!) && (end === start || text.gap[end]! < BLANK_GAP))
    end++;
  while (end > start && trailing.has(text.codes[end - 1]!)) end--;
  return { start, end: end === start ? -1 : end };
}

/** The word that ends at a position, without the quotes around it. */
function wordBefore(text: SqueezedText, at: number): { start: number; end: number } {
  let end = at;
  while (end > 0 && (wordEnds.has(text.codes[end - 1]!) || trailing.has(text.codes[end - 1]!))) end--;
  if (end === 0) return { start: 0, end: at };
  let start = end;
  while (
    start > 0 &&
    !wordOpeners.has(text.codes[start - 1]!) &&
    !wordEnds.has(text.codes[start - 1]!) &&
    (start === end || text.gap[start]! < BLANK_GAP)
  )
    start--;
  return { start, end };
}

function capture(template: CompiledTemplate, text: SqueezedText, found: GroupMatch[]): TemplateMatch {
  const { groups, freeBefore, freeAfter } = template;
  const captured: Record<string, string> = {};
  let start = found[0]!.start;
  let end = found.at(-1)!.end;
  for (const [g, match] of found.entries()) {
    const name = freeBefore[g];
    if (name && g === 0) {
      const word = wordBefore(text, match.start);
      captured[name] = originalCapture(text, word.start, word.end);
      start = word.start;
    } else if (name) captured[name] = originalCapture(text, found[g - 1]!.end, match.start);
    const { leadingDigits, digitsAfter } = groups[g]!;
    const names = [leadingDigits, ...digitsAfter].filter((digits) => digits !== undefined);
    for (const [i, digits] of names.entries()) captured[digits] = originalCapture(text, match.digits[i * 2]!, match.digits[i * 2 + 1]!);
  }
  if (freeAfter) {
    const word = wordAt(text, end);
    captured[freeAfter] = originalCapture(text, word.start, word.end);
    end = word.end;
  }
  return { start, end, captured };
}
