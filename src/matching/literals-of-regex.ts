/**
 * Pieces of literal text that every match of an RE2 expression contains. Anything but plain characters, plain groups
 * without alternatives, and what is surely there once, is left out, so the answer may be short but is never wrong.
 */
export function literalsOfRegex(source: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  const cut = (): void => {
    if (piece.trim() !== '') pieces.push(piece);
    piece = '';
  };
  if (source.replace(/^\(\?[a-zA-Z]+\)/, '').startsWith('(?')) return [];
  for (let i = 0; i < source.length; i++) {
    const c = source[i]!;
    if (c === '|') return [];
    if (c === '[') {
      cut();
      i = endOfClass(source, i);
    } else if (c === '(') {
      cut();
      i = endOfGroup(source, i);
    } else if ('*?{'.includes(c)) {
      // The character before may be absent, so it is no literal.
      piece = piece.slice(0, -1);
      cut();
      if (c === '{') i = source.indexOf('}', i);
      if (i < 0) return [];
    } else if (c === '\\') {
      const escaped = source[++i] ?? '';
      if (/[A-Za-z0-9]/.test(escaped)) {
        cut();
        if (/[QEpPx0-9]/.test(escaped)) return pieces;
      } else piece += escaped;
    } else if ('.^$+)'.includes(c)) cut();
    else piece += c;
  }
  cut();
  return pieces;
}

function endOfClass(source: string, start: number): number {
  let i = start + 1;
  if (source[i] === '^') i++;
  if (source[i] === ']') i++;
  while (i < source.length && source[i] !== ']') {
    if (source[i] === '[' && source[i + 1] === ':') i = source.indexOf(':]', i) + 1;
    i += source[i] === '\\' ? 2 : 1;
  }
  return i;
}

function endOfGroup(source: string, start: number): number {
  let depth = 0;
  for (let i = start; i < source.length; i++) {
    if (source[i] === '\\') i++;
    else if (source[i] === '[') i = endOfClass(source, i);
    else if (source[i] === '(') depth++;
    else if (source[i] === ')' && --depth === 0) return i;
  }
  return source.length;
}
