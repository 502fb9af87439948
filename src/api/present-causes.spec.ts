import { describe, expect, it } from 'vitest';
import { problemOf } from '../../test/support/problem-of.js';
import { presentCauses, valuesOf } from './present-causes.js';

const problem = problemOf('tke/ingress/E4011', {
  causes: [
    {
      text: { en: 'Secret {secret} is wrong.', zh: 'Secret {secret} 有误。' },
      checks: [
        { run: "kubectl get secret {secret} -n {namespace} -o jsonpath='{.data}'", look: { en: 'See {secret}.', zh: '查看 {secret}。' } },
        { look: { en: 'Look.', zh: '看。' } },
      ],
      remedies: [{ en: 'kubectl delete secret {secret}', zh: 'kubectl delete secret {secret}' }],
    },
  ],
});
const object = { kind: 'Ingress', namespace: 'shop', name: 'web', container: '' };

describe('presentCauses', () => {
  it('leaves placeholders as they are without values', () => {
    expect(presentCauses(problem, 'zh')[0]).toMatchObject({
      text: 'Secret {secret} 有误。',
      checks: [{ run: expect.stringContaining('{secret} -n {namespace}') }, { run: undefined }],
    });
  });

  it('fills in what is known, and shows what is not', () => {
    const [cause] = presentCauses(problem, 'en', valuesOf(object, '', { secret: 'web-tls' }));
    expect(cause).toEqual({
      text: 'Secret web-tls is wrong.',
      checks: [
        { run: "kubectl get secret web-tls -n shop -o jsonpath='{.data}'", look: 'See web-tls.' },
        { run: undefined, look: 'Look.' },
      ],
      remedies: ['kubectl delete secret web-tls'],
    });
    expect(presentCauses(problem, 'en', {})[0]!.checks[0]!.run).toContain('secret <secret> -n <namespace>');
  });

  it.each(['$(reboot)', 'a; reboot', '`reboot`', "a' reboot '", 'a\nreboot', 'a|b', 'a&b', '>x', '--all', '~', 'a b', '*', '!x', 'a\\b'])(
    'puts no %j into a command',
    (secret) => {
      const [cause] = presentCauses(problem, 'en', valuesOf(object, '', { secret }));
      expect(cause!.checks[0]!.run).toContain('get secret <secret> -n shop');
      expect(cause!.remedies).toEqual(['kubectl delete secret <secret>']);
      expect(cause!.text).toContain(secret);
    },
  );
});

describe('valuesOf', () => {
  it('lets the message itself win, and knows the node of a Node', () => {
    expect(valuesOf({ ...object, kind: 'Node', name: 'n1' }, 'n2', { namespace: 'x' })).toEqual({
      kind: 'Node',
      namespace: 'x',
      name: 'n1',
      container: '',
      node: 'n1',
    });
    expect(valuesOf(object, 'n2', {})).toMatchObject({ node: 'n2' });
  });
});
