import type { ClearingEvent, Clears } from '../../knowledge/problem-file.js';
import type { Locale } from '../choose-locale.js';

/** Says in the reader's language how incidents of a problem end, besides by the object's end and by a person. */
export function describeEnd(clears: Clears, locale: Locale): string {
  const zh = locale === 'zh';
  switch (clears.by) {
    case 'success-event':
    case 'paired': {
      const events = clears.on.map((on) => eventOf(on, locale)).join(zh ? ' 或 ' : ' or ');
      const quiet = clears.quiet === undefined ? '' : zh ? `，或 ${clears.quiet} 内未再出现` : `, or ${clears.quiet} without it being seen`;
      return zh ? `同一对象出现${events}${quiet}` : `${events} on the same object${quiet}`;
    }
    case 'quiet':
      return zh ? `${clears.quiet} 内未再出现` : `${clears.quiet} without it being seen`;
    case 'terminal':
      return zh
        ? `对象无法自行恢复；最后一次出现 ${clears.quiet} 后归档`
        : `the object does not recover; put away ${clears.quiet} after it was seen last`;
    case 'object-gone':
      return zh ? '仅在对象被删除后' : 'only the end of the object';
    case 'alert-resolved':
      return zh ? '对应的告警恢复' : 'its alert is resolved';
  }
}

function eventOf(on: ClearingEvent, locale: Locale): string {
  const { reason, type, message } = typeof on === 'string' ? { reason: on } : on;
  const parts = [type, reason, message === undefined ? undefined : `"${message}"`].filter((part) => part !== undefined).join(' ');
  return locale === 'zh' ? ` ${parts} 事件` : `an event ${parts}`;
}
