import { describe, expect, it } from 'vitest';
import { fillTemplate } from './fill-template.js';

describe('fillTemplate', () => {
  it('puts values in and shows what is missing', () => {
    expect(fillTemplate('kubectl get secret {secret} -n {namespace}', { secret: 'tls', namespace: '' })).toBe(
      'kubectl get secret tls -n <namespace>',
    );
    expect(fillTemplate('nothing to fill', {})).toBe('nothing to fill');
    expect(fillTemplate('{constructor} {toString}', {})).toBe('<constructor> <toString>');
    expect(fillTemplate('{a}', { a: '$& {b}' })).toBe('$& {b}');
  });

  it('leaves the braces of commands alone', () => {
    const command = `kubectl get po -o jsonpath='{.status.phase}{range .items[*]}{.name}{end}' && echo \${name} && docker inspect -f '{{.State}}' && awk '{print $1}' && curl -w '%{http_code}'`;
    expect(fillTemplate(command, { name: 'x', http_code: 'y' })).toBe(command);
  });
});
