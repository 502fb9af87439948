import { describe, expect, it } from 'vitest';
import { extractExitCodes, foldExitCode } from './extract-exit-codes.js';
import { squeezeText } from './squeeze-text.js';

const codesOf = (message: string): number[] => extractExitCodes(squeezeText(message)).map(({ exitCode }) => exitCode);

describe('extractExitCodes', () => {
  it.each([
    ['command terminated with exit code 137', [137]],
    ['Exit Code:    143\nReason: Error', [143]],
    ['main process exited, code=exited, status=255/n/a', [255]],
    ["command '/bin/sh' exited with 126: , message", [126]],
    ['exited with non-zero code: 2', [2]],
    ['exitCode=139 and then exit code 1', [139, 1]],
    ['exit code -1', [255]],
    ['exit code 256', [0]],
    ['failed: exit status 137', [137]],
  ])('reads %s', (message, codes) => {
    expect(codesOf(message)).toEqual(codes);
  });

  it.each([
    'Failed to execute iptables-restore: exit status 4',
    'exit code 12abc',
    'exit code unknown',
    'nonexit code 5 in the preexit code 5',
    'the app exited',
  ])('reads none in %s', (message) => {
    expect(codesOf(message)).toEqual([]);
  });
});

describe('foldExitCode', () => {
  it('keeps the low byte as a shell does', () => {
    expect([0, 255, 256, 257, -1, -256, -257, -1073741819, 3221225786].map(foldExitCode)).toEqual([0, 255, 0, 1, 255, 0, 255, 5, 58]);
  });
});
