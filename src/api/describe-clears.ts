import type { ClearingEvent, Clears } from '../knowledge/problem-file.js';

/** Says in one English phrase how incidents of a problem end, besides by the object's end and by a person. */
export function describeClears(clears: Clears): string {
  switch (clears.by) {
    case 'success-event':
    case 'paired': {
      const quiet = clears.quiet === undefined ? '' : `, or ${clears.quiet} without it being seen`;
      const settle = clears.settle === undefined ? '' : ` (${clears.settle} or more after it was seen last)`;
      return `event ${clears.on.map(describeEvent).join(' or ')} of the same object${settle}${quiet}`;
    }
    case 'quiet':
      return `${clears.quiet} without it being seen`;
    case 'terminal':
      return `the object does not recover; put away ${clears.quiet} after it was seen last`;
    case 'object-gone':
      return 'only the end of the object';
    case 'alert-resolved':
      return 'its alert is resolved';
  }
}

function describeEvent(on: ClearingEvent): string {
  if (typeof on === 'string') return on;
  const parts = [
    on.type,
    on.reason,
    on.message === undefined ? undefined : `"${on.message}"`,
    on.reporters && (on.reporters.length > 2 ? 'from its controller' : `from ${on.reporters.join(' or ')}`),
  ];
  return parts.filter((part) => part !== undefined).join(' ');
}
