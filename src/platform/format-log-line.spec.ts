import { describe, expect, it } from 'vitest';
import { formatLogLine } from './format-log-line.js';

describe('formatLogLine', () => {
  it('shows time, level, message and fields on one line', () => {
    const line = '{"level":30,"time":"2026-11-20T10:11:12.345Z","context":"Api","port":4000,"host":"::1","msg":"Listening"}\n';
    expect(formatLogLine(line)).toBe('10:11:12.345 INFO  [Api] Listening port=4000 host=::1\n');
  });

  it('puts the stack of an error below', () => {
    const line = '{"level":50,"time":"2026-11-20T10:11:12.345Z","err":{"message":"no","stack":"Error: no\\n  at x"},"msg":"no"}';
    expect(formatLogLine(line)).toBe('10:11:12.345 ERROR no\nError: no\n  at x\n');
  });

  it('passes on what is not JSON', () => {
    expect(formatLogLine('boom\n')).toBe('boom\n');
  });
});
