import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../test/support/cpu-time.js';
import type { ClusterEvent } from '../events/cluster-event.js';
import { maskMessage } from './mask-message.js';
import { mergePatterns } from './merge-patterns.js';
import { patternOf, withId } from './message-pattern.js';

const NAMES = ['web-6d4cf56db6-x2x5p', 'shop', 'front', 'pod'];

describe('maskMessage', () => {
  it.each([
    [
      'Failed to attach volume "pvc-0f3a" to node ip-10-0-3-7: timeout after 5m30s',
      'Failed to attach volume "{text}" to node {id}: timeout after {id}',
    ],
    ['dial tcp 10.0.0.7:6443: connect: connection refused', 'dial tcp {address}:{number}: connect: connection refused'],
    ['Get "https://example.test/v2/": dial tcp [2001:db8::1]:443: i/o timeout', 'Get "{text}": dial tcp [{address}]:{number}: i/o timeout'],
    ['cannot pull registry.example.test/team/app:1.2.3@sha256:0123456789abcdef', 'cannot pull {path}'],
    ['open /var/lib/kubelet/pods/1f0e9a52/volumes: no such file', 'open {path}: no such file'],
    ['pod web-6d4cf56db6-x2x5p in shop, container front, at 2026-11-20T08:30:00Z', 'pod {name} in {name}, container {name}, at {time}'],
    ['stopped front_shop now', 'stopped {name} now'],
    [
      'restarting failed container web in pod api_shop(1f0e9a52-6c6e-4f57-9a0e-0d6a6f1b2c3d)',
      'restarting failed container web in pod {name}({id})',
    ],
    ['ErrorCode: E4011 on kind v1beta1, x509: unknown authority', 'ErrorCode: E4011 on kind v1beta1, x509: unknown authority'],
    ['used 95% of 128Mi, want 1.5', 'used {number} of {number}, want {number}'],
    ['nodes: node-1, node-2, node-3 are full', 'nodes: {id} are full'],
    ['bad value {"a": 1}', 'bad value {{"{text}": {number}}}'],
    ["can't find 'front' or 'back', don't retry", "can't find '{text}' or '{text}', don't retry"],
    ['key *** was refused', 'key {secret} was refused'],
    ['  many\n\tblanks  ', 'many blanks'],
    ['', ''],
  ])('masks what differs in %j', (text, template) => {
    expect(maskMessage(text, NAMES)).toBe(template);
  });

  it('keeps a field path and a rule between two words', () => {
    expect(maskMessage('spec.rules.http is empty and/or wrong.', [])).toBe('spec.rules.http is empty and/or wrong.');
  });

  it('cuts long texts between words and says so', () => {
    const template = maskMessage('word '.repeat(1000), []);
    expect(template).toBe(`${'word '.repeat(60)}{*}`);
    expect(maskMessage('x'.repeat(5000), []).length).toBeLessThanOrEqual(410);
  });

  it('takes any text in time that grows with its length only, and depends on nothing else', async () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 300 }),
          fc.string({ unit: fc.constantFrom('a', '1', ':', '/', '.', '"', "'", ' ', '{', '\\', '-'), maxLength: 3000 }),
        ),
        (text) => {
          const template = maskMessage(text, NAMES);
          expect(template.isWellFormed()).toBe(true);
          expect(maskMessage(text, NAMES)).toBe(template);
        },
      ),
    );
    const took = await cpuTime(() => {
      for (const unit of ['"', 'a.', '1:', '/a', '{', "'x", 'a/', ': ']) maskMessage(unit.repeat(20_000), NAMES);
    });
    expect(took).toBeLessThan(1000);
  });
});

const event = (name: string, message: string): ClusterEvent => ({
  uid: name,
  reason: 'SyncFailed',
  message,
  type: 'Warning',
  reporter: 'some-controller',
  host: '',
  object: { kind: 'Widget', namespace: 'shop', name, uid: '', container: '' },
  count: 1,
  firstAt: 0,
  lastAt: 0,
  timed: true,
});

describe('patternOf', () => {
  it('is the same for objects that differ in name, number and time only', () => {
    const first = patternOf(event('alpha', 'cannot sync alpha after 3 tries'), 'cannot sync alpha after 3 tries');
    const second = patternOf(event('beta', 'cannot sync beta after 17 tries'), 'cannot sync beta after 17 tries');
    expect(second).toEqual(first);
    expect(first.template).toBe('cannot sync {name} after {number} tries');
  });

  it('has an id that only a change of what it is made of changes', () => {
    // Written down: it is stored, and compared with what other replicas and later versions make.
    expect(withId({ kind: 'Pod', reporter: 'kubelet', reason: 'Failed', template: 'a {id}' }).id).toBe('a5d72898c7952be4bd0884fc8545590b');
    const other = withId({ kind: 'Pod', reporter: 'kubelet', reason: 'Failed', template: 'a {number}' }).id;
    expect(other).not.toBe('a5d72898c7952be4bd0884fc8545590b');
  });
});

describe('mergePatterns', () => {
  const pattern = (template: string, reason = 'SyncFailed') => withId({ kind: 'Widget', reporter: 'c', reason, template });

  it('takes a word for one that varies when at least three patterns differ in nothing else', () => {
    const merged = mergePatterns(['red', 'green', 'blue'].map((colour) => pattern(`cannot paint ${colour} door`)));
    expect(merged.map((one) => one.pattern.template)).toEqual(['cannot paint {*} door']);
    expect(merged[0]!.members).toHaveLength(3);
    expect(merged[0]!.pattern.id).toBe(pattern('cannot paint {*} door').id);
  });

  it('keeps two that differ in one word, and the same words of another reason, apart', () => {
    const patterns = [pattern('cannot attach disk'), pattern('cannot detach disk'), pattern('cannot find disk', 'Other')];
    expect(mergePatterns(patterns).map((one) => one.pattern)).toEqual(patterns);
  });

  it('gives the same for any order', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', '{id}');
    const patterns = fc.uniqueArray(
      fc.tuple(word, word, word).map((words) => pattern(words.join(' '))),
      { selector: ({ id }) => id, maxLength: 40 },
    );
    const sorted = (list: ReturnType<typeof mergePatterns>) =>
      list
        .map(
          (one) =>
            `${one.pattern.id} ${one.members
              .map(({ id }) => id)
              .sort()
              .join(' ')}`,
        )
        .sort();
    fc.assert(
      fc.property(
        patterns.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          expect(sorted(mergePatterns(shuffled))).toEqual(sorted(mergePatterns(list)));
        },
      ),
    );
  });
});
