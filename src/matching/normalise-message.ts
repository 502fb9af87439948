const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';

/** What senders and loggers put in front of a message, each anchored at the start and bounded in length. */
const prefixes = [
  /^\(combined from similar events\):\s*/i,
  /^[IWEF]\d{4} \d\d:\d\d:\d\d(?:\.\d{1,9})?\s+\d{1,10}\s+[^\s\]]{1,100}:\d{1,6}\]\s?/,
  /^[[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d| UTC)?[\])]?\s+/,
  new RegExp(`^${month}\\s{1,2}\\d{1,2} \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})? `),
  /^<\d{1,3}>1?\s*/,
  /^(?:stdout|stderr) [FP] /,
  /^\[\s{0,12}\d{1,12}\.\d{3,9}\]\s*/,
  /^[\w.-]{1,64}\[\d{1,10}\]:\s*/,
  /^kernel:\s*/,
];

/** The name of the host and the process, known as such only behind a syslog time. */
const hostAndProcess = /^[\w.-]{1,255} ([\w.@/-]{1,64}(?:\[\d{1,10}\])?): /;

/** Prefixes start like this; nearly every message of the API does not, and is answered at once. */
const maybePrefixed =
  /^[\s([<\d]|^[IWEF]\d{4} |^(?:stdout|stderr|kernel|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b|^[\w.-]{1,64}\[/i;

/** The message without what senders put in front of it: counts of similar events, syslog and klog headers, timestamps. */
export function normaliseMessage(text: string): string {
  let rest = text;
  let dated = false;
  for (let round = 0; round < 12 && maybePrefixed.test(rest); round++) {
    const before = rest;
    rest = rest.trimStart();
    for (const [i, prefix] of prefixes.entries()) {
      const found = prefix.exec(rest);
      if (!found) continue;
      rest = rest.slice(found[0].length);
      dated ||= i === 2 || i === 3;
      if (dated) rest = rest.replace(hostAndProcess, '');
      break;
    }
    if (rest === before) break;
  }
  return rest.trimEnd();
}
