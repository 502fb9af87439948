import { describe, expect, it } from 'vitest';
import { findAnnotation, findExitCode, findPodState } from './find-in-reference.js';
import { AnnotationsFile, ExitCodesFile, PodStatesFile } from './reference-file.js';

const text = { en: 'Something.', zh: '某事。' };
const meaning = { title: text, meaning: text };

describe('findExitCode', () => {
  const table = ExitCodesFile.parse({
    codes: [{ code: 137, signal: 'SIGKILL', origin: 'signal', ...meaning }],
    ranges: [{ from: 129, to: 254, origin: 'signal', ...meaning }],
  });

  it('prefers the entry of the code to the range around it', () => {
    expect(findExitCode(table, 137)).toMatchObject({ code: 137 });
    expect(findExitCode(table, 138)).toMatchObject({ from: 129, to: 254 });
    expect(findExitCode(table, 254)).toMatchObject({ from: 129 });
    expect(findExitCode(table, 3)).toBeUndefined();
  });
});

describe('findPodState', () => {
  const { states } = PodStatesFile.parse({
    states: [
      { name: 'Unknown', aliases: ['Unkown'], kind: 'phase', meaning: text },
      { name: 'CrashLoopBackOff', kind: 'waiting', meaning: text },
    ],
  });

  it('finds names and aliases in any letter case, also of init containers', () => {
    expect(findPodState(states, 'unkown')?.name).toBe('Unknown');
    expect(findPodState(states, 'Init:CrashLoopBackOff')?.name).toBe('CrashLoopBackOff');
    expect(findPodState(states, 'Crash')).toBeUndefined();
  });
});

describe('findAnnotation', () => {
  const { annotations } = AnnotationsFile.parse({
    annotations: [{ key: 'service.cloud.tencent.com/direct-access', providers: ['tke'], kinds: ['Service'], meaning: text }],
  });

  it.each([
    'service.cloud.tencent.com/direct-access',
    ' service.cloud.tencent.com/direct-access: "true"',
    '"service.cloud.tencent.com/direct-access": "true"',
    'service.cloud.tencent.com/direct-access=true',
    'service.cloud.tencent.com/direct-access-',
  ])('finds %s', (key) => {
    expect(findAnnotation(annotations, key)?.key).toBe('service.cloud.tencent.com/direct-access');
  });

  it('finds whole keys only', () => {
    expect(findAnnotation(annotations, 'direct-access')).toBeUndefined();
  });
});
