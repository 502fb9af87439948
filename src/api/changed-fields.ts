/** What is different between two versions of a thing: of each field that changed, the value before and after. Undefined when none did. */
export function changedFields(
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>> | undefined,
): { before?: Record<string, unknown>; after?: Record<string, unknown> } {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  if (changed.length === 0) return {};
  const part = (of: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(changed.filter((name) => name in of).map((name) => [name, of[name]]));
  return { ...(before && { before: part(before) }), ...(after && { after: part(after) }) };
}
