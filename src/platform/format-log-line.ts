const LEVELS: Record<number, string> = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };
const SHOWN = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'err', 'context']);

/** Turns one JSON log line into one line for people: time, level, message, then the other fields as `name=value`. */
export function formatLogLine(line: string): string {
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const err = record['err'] as { message?: string; stack?: string } | undefined;
  const fields = Object.entries(record).filter(([name]) => !SHOWN.has(name));
  return (
    [
      String(record['time']).slice(11, 23),
      (LEVELS[Number(record['level'])] ?? String(record['level'])).padEnd(5),
      record['context'] === undefined ? undefined : `[${String(record['context'])}]`,
      record['msg'] ?? err?.message,
      ...fields.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
    ]
      .filter((part) => part !== undefined)
      .join(' ') + (err?.stack ? `\n${err.stack}\n` : '\n')
  );
}
