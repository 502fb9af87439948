/** Names to accept, with `*` as wildcard; compared in lower case. */
export interface NameList {
  /** True where every name is accepted, so that a name that is accepted proves nothing. */
  any: boolean;
  exact: ReadonlySet<string>;
  patterns: string[][];
}

/** Prepares a list of names such as `[kubelet, "*-controller"]`. */
export function compileNames(names: readonly string[]): NameList {
  const lower = names.map((name) => name.trim().toLowerCase());
  return {
    any: lower.includes('*'),
    exact: new Set(lower.filter((name) => !name.includes('*'))),
    patterns: lower.filter((name) => name.includes('*') && name !== '*').map((name) => name.split('*')),
  };
}

/** True if the list accepts the name, which has to be in lower case. */
export function acceptsName(list: NameList, name: string): boolean {
  return list.any || namesName(list, name);
}

/** True if the list names it, be it by a pattern; a bare `*` names nobody. */
export function namesName(list: NameList, name: string): boolean {
  return list.exact.has(name) || list.patterns.some((pieces) => fits(pieces, name));
}

function fits(pieces: string[], name: string): boolean {
  const [head, ...rest] = pieces;
  const tail = rest.pop()!;
  if (!name.startsWith(head!) || name.length < head!.length + tail.length || !name.endsWith(tail)) return false;
  let from = head!.length;
  for (const piece of rest) {
    const at = name.indexOf(piece, from);
    if (at < 0 || at + piece.length > name.length - tail.length) return false;
    from = at + piece.length;
  }
  return true;
}
