import { createHash } from 'node:crypto';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

const EVIL = `<script>alert("x")</script> & 'q'`;
const quoted = (text: string): string => JSON.stringify(text);
/** A problem whose every text tries to break out of its page. */
const EVIL_PROBLEM = `
title: { en: ${quoted(EVIL)}, zh: ${quoted(EVIL)} }
summary: { en: ${quoted(EVIL)}, zh: ${quoted(EVIL)} }
severity: error
consequence: { en: ${quoted(EVIL)}, zh: ${quoted(EVIL)} }
escalateTo: ${quoted(EVIL)}
recognise: [{ reason: ${quoted(EVIL)} }]
causes:
  - text: { en: ${quoted(EVIL)}, zh: ${quoted(EVIL)} }
    checks: [{ run: ${quoted(EVIL)}, look: { en: ${quoted(EVIL)}, zh: ${quoted(EVIL)} } }]
    remedies: [{ en: ${quoted(EVIL)}, zh: ${quoted(EVIL)} }]
references: [{ title: ${quoted(EVIL)}, url: "javascript:alert(1)" }]
`;

describe('catalogue pages', () => {
  let casebook: TestCasebook;
  let overlay: string;
  const get = (path: string, headers: Record<string, string> = {}) => casebook.send('GET', path, { headers, token: ADMIN_TOKEN });

  beforeAll(async () => {
    overlay = await mkdtemp(join(tmpdir(), 'casebook-overlay-'));
    await mkdir(join(overlay, 'kubernetes/image'), { recursive: true });
    await writeFile(join(overlay, 'kubernetes/image/evil.yaml'), EVIL_PROBLEM);
    casebook = await startTestCasebook(
      { CASEBOOK_AUTH: 'required', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN, CASEBOOK_KNOWLEDGE_DIR: overlay },
      'knowledge',
    );
  });
  afterAll(async () => {
    await casebook?.stop();
    await rm(overlay, { recursive: true, force: true });
  });

  it.each(['/problems', '/problems/kubernetes/image/evil', '/guides/node-disk-full'])(
    'are for viewers where an overlay may hold what is not for everybody, in a browser too: %s',
    async (path) => {
      const refused = await casebook.send('GET', path);
      expect(refused).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
      const { data, errors } = await casebook.graphql('mutation { createApiToken(input: { name: "reader", role: VIEWER }) { token } }');
      expect(errors).toBeUndefined();
      const authorization = `Basic ${Buffer.from(`anybody:${String(data['createApiToken'].token)}`).toString('base64')}`;
      expect((await casebook.send('GET', path, { headers: { authorization } })).status).toBe(200);
    },
  );

  it('list every problem and guide by provider and area, in the language of the reader', async () => {
    const { status, body, headers } = await get('/problems');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const part of [
      '<html lang="en">',
      '/problems/tke/ingress/E4011"',
      '/guides/node-disk-full"',
      'Disk of the node is full',
      'id="kubernetes-node"',
    ])
      expect(body).toContain(part);
    const chinese = (await get('/problems', { 'accept-language': 'zh-CN' })).body;
    for (const part of ['<html lang="zh-CN">', '节点磁盘已写满', 'href="/problems/tke/ingress/E4011"']) expect(chinese).toContain(part);
    const chosen = (await get('/problems?locale=zh', { 'accept-language': 'en' })).body;
    expect(chosen).toContain('href="/problems/tke/ingress/E4011?locale=zh"');
    expect((await get('/problems?locale=fr')).status).toBe(400);
  });

  it('search without a script, too', async () => {
    const { body } = await get(`/problems?search=${encodeURIComponent('磁盘满')}`);
    expect(body.indexOf('/problems/kubernetes/node/disk-full"')).toBeGreaterThan(0);
    expect(body).not.toContain('/problems/tke/ingress/E4011"');
    expect((await get('/problems?search=zzqx')).body).toMatch(/<p id="nothing" *>Nothing fits[.]<[/]p>/);
    expect((await get(`/problems?search=${'x'.repeat(201)}`)).status).toBe(400);
    expect((await get(`/problems?search=${encodeURIComponent('"><img src=x>')}`)).body).toContain('value="&quot;&gt;&lt;img src=x&gt;"');
  });

  it('show a problem with causes, commands, relations and guides', async () => {
    const { body } = await get('/problems/kubernetes/node/disk-full');
    for (const part of [
      'Disk of the node is full',
      'df -h /var/lib/docker',
      'href="/problems/kubernetes/node/image-gc-failed"',
      'href="/guides/node-disk-full"',
      'can be the cause',
    ])
      expect(body).toContain(part);
    expect(body).toContain('kubectl exec -n &lt;namespace&gt; &lt;name&gt; -- df -h');
    expect((await get('/problems/kubernetes/node/nothing')).status).toBe(404);
  });

  it('show a guide with links from outcome to outcome', async () => {
    const { body } = await get('/guides/node-disk-full?locale=zh');
    for (const part of [
      '节点磁盘已满',
      'href="#find-large"',
      'id="find-large"',
      'kubectl drain &lt;node-name&gt;',
      'href="/problems/kubernetes/node/inotify-exhausted?locale=zh"',
    ])
      expect(body).toContain(part);
    expect((await get('/guides/nothing')).status).toBe(404);
  });

  it('escape all texts and run no script but their own', async () => {
    for (const path of [
      '/problems',
      '/problems/kubernetes/image/evil',
      '/problems/kubernetes/image/evil?locale=zh',
      '/guides/node-disk-full',
    ]) {
      const { body, headers } = await get(path);
      const [script, ...more] = [...body.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, text]) => text as string);
      expect(more).toEqual([]);
      const [style] = [...body.matchAll(/<style>([^]*?)<\/style>/g)].map(([, text]) => text as string);
      const hash = (text: string | undefined): string =>
        `'sha256-${createHash('sha256')
          .update(text ?? '')
          .digest('base64')}'`;
      expect(headers.get('content-security-policy')).toContain(`default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)};`);
      expect(body).not.toMatch(/<script>alert|javascript:|style="|\son\w+="/);
      expect(body).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)=/);
    }
    expect((await get('/problems/kubernetes/image/evil')).body).toContain(
      '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;q&#39;',
    );
  });

  it('lead only to pages that exist', async () => {
    const paths = new Set<string>();
    for (const path of ['/problems', '/problems/tke/ingress/E4011', '/guides/node-disk-full']) {
      for (const [, href] of (await get(path)).body.matchAll(/href="(\/(?:problems|guides)[^"]*)"/g)) paths.add(href as string);
    }
    expect(paths.size).toBeGreaterThan(300);
    const answers = await Promise.all([...paths].map(async (path) => ({ path, status: (await get(path)).status })));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
