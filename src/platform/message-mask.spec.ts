import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../test/support/cpu-time.js';
import { createMessageMask } from './message-mask.js';

const mask = createMessageMask({ emails: true, patterns: [] });

/** Shapes of secrets are put together here, so that no scanner takes this file for a leak. */
const of = (...parts: string[]): string => parts.join('');
const LETTERS = 'aB3dE5gH7jK9mN1pQ4sT6vW8yZ0bC2fD';
const HEX = '0123456789abcdef'.repeat(4);
const JWT = of('ey', 'JhbGciOiJSUzI1NiJ9.', 'ey', 'JzdWIiOiJzeXN0ZW06c2EifQ.', LETTERS);
const PEM = of('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIEpAIBAAKCAQEA', LETTERS, '\n', '-----END RSA ', 'PRIVATE KEY-----');
const BASE64 = of('dXNlcjpwYX', 'NzdzByZA==');
const PASSWORD = of('hunt', 'er2!x');

/** What has to be gone, and a text around it as senders write it. */
const SECRETS: [string, string, (secret: string) => string][] = [
  ['a bearer token', LETTERS, (s) => `Get "https://10.0.0.1:6443/api": Authorization: Bearer ${s} was refused`],
  ['a basic credential', BASE64, (s) => `registry answered 401 to Authorization: Basic ${s}`],
  ['a service account token', JWT, (s) => `unable to authenticate the request [invalid bearer token ${s}]`],
  ['a JSON Web Token that is cut off', JWT.slice(0, 40), (s) => `token refresh failed for ${s}`],
  ['an AWS access key', of('AK', 'IA', 'IOSFODNN7EXAMPLE'), (s) => `InvalidAccessKeyId: the key ${s} does not exist`],
  ['an AWS secret key', of(LETTERS, '/k+LETTERS'), (s) => `AWS_SECRET_ACCESS_KEY=${s} is not valid`],
  ['a temporary AWS key', of('AS', 'IA', 'Y34FZKBOKMUTVV7A'), (s) => `AccessDenied for ${s}: not authorised`],
  [
    'an Alibaba Cloud key',
    of('LT', 'AI', '5tAbCdEfGhIjKlMnOpQr'),
    (s) => `Aliyun API Error: Code: InvalidAccessKeyId.NotFound AccessKeyId: ${s}`,
  ],
  ['an Alibaba Cloud secret', LETTERS, (s) => `{"AccessKeySecret":"${s}","RegionId":"cn-hangzhou"}`],
  [
    'a Tencent Cloud id',
    of('AK', 'ID', 'z8krbsJ5yKBZQpn74WFkmLPx3gnPhESA'),
    (s) => `[TencentCloudSDKError] AuthFailure.SecretIdNotFound, SecretId ${s}`,
  ],
  ['a Tencent Cloud key', LETTERS, (s) => `secretKey: "${s}"`],
  ['a Google API key', of('AI', 'za', 'SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY'), (s) => `403 for key ${s}`],
  ['a Google access token', of('ya', '29.', LETTERS), (s) => `oauth2: token ${s} expired`],
  ['a GitHub token', of('gh', 'p_', LETTERS), (s) => `git clone https://${s}@github.com/team/app failed`],
  ['a fine-grained GitHub token', of('github', '_pat_', LETTERS), (s) => `bad credentials ${s}`],
  ['a GitLab token', of('gl', 'pat-', 'x9Yz8Wv7Ut6Sr5Qp4O'), (s) => `remote: HTTP Basic: Access denied with ${s}`],
  ['a Slack token', of('xo', 'xb-', '2345678901-', LETTERS), (s) => `slack: invalid_auth ${s}`],
  ['a Slack webhook', of('T00000000/B0000', '0000/', LETTERS), (s) => `Post "https://hooks.slack.com/services/${s}": no_service`],
  ['a WeCom webhook', of('693a91f6-7xxx-4bc4-97a0-', '0ec2sifa5aaa'), (s) => `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${s}`],
  [
    'a Feishu webhook',
    of('a1b2c3d4-e5f6-7890-', 'abcd-ef1234567890'),
    (s) => `https://open.feishu.cn/open-apis/bot/v2/hook/${s} answered 19001`,
  ],
  ['a Stripe key', of('sk', '_live_', LETTERS), (s) => `No such customer, key ${s}`],
  ['an npm token', of('np', 'm_', LETTERS, 'abcd'), (s) => `//npm.example.com/:_authToken=${s}`],
  ['a Vault token', of('hv', 's.', LETTERS), (s) => `vault: permission denied for ${s}`],
  ['a token of Casebook', of('cb', '_', LETTERS), (s) => `401 for ${s}`],
  ['a private key', PEM, (s) => `failed to parse tls.key: ${s}: asn1 error`],
  ['a private key in JSON', PEM.replaceAll('\n', '\\n'), (s) => `{"type":"service_account","private_key":"${s}","client_id":"1"}`],
  ['a private key that is cut off', PEM.slice(0, 60), (s) => `bad key: ${s}`],
  ['a password in an address', PASSWORD, (s) => `dial amqp://shop:${s}@mq.shop.svc:5672/ failed`],
  ['a password with @ in an address', of('p@s', 's%2Fw0rd'), (s) => `postgresql://casebook:${s}@db:5432/casebook is down`],
  ['a password without a user', PASSWORD, (s) => `NOAUTH redis://:${s}@redis:6379/0`],
  ['a password with / in an address', of('pa/ss', '/w0rd'), (s) => `postgresql://casebook:${s}@db:5432/casebook is down`],
  ['a proxy password', PASSWORD, (s) => `HTTPS_PROXY=http://user:${s}@10.0.0.1:3128 cannot connect`],
  ['a MySQL data source', PASSWORD, (s) => `root:${s}@tcp(mysql.shop:3306)/orders: connection refused`],
  ['a connection string', PASSWORD, (s) => `Server=tcp:db.example,1433;User ID=sa;Password=${s};Encrypt=true; cannot open`],
  ['a storage account key', of(LETTERS, '=='), (s) => `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${s};EndpointSuffix=core`],
  ['a libpq string', PASSWORD, (s) => `host=db user=app password=${s} dbname=app sslmode=disable`],
  ['a libpq string with quotes', 'two w0rds', (s) => `host=db password='${s}' dbname=app`],
  ['a signed URL', LETTERS, (s) => `https://x.blob.core.windows.net/a?sv=2020&sig=${s}&se=2026`],
  ['a presigned URL', HEX, (s) => `https://s3.amazonaws.com/b/k?X-Amz-Date=1&X-Amz-Signature=${s}`],
  ['a variable of a shell', PASSWORD, (s) => `export DB_PASSWORD=${s}; ./run`],
  ['a flag', PASSWORD, (s) => `exec: "mysql --user root --password ${s}": exit 1`],
  ['a flag with =', PASSWORD, (s) => `args: [--token=${s} --v=2]`],
  ['a password of curl', PASSWORD, (s) => `curl -sS -u admin:${s} https://x failed`],
  ['a literal of a Secret', PASSWORD, (s) => `kubectl create secret generic x --from-literal=password=${s}`],
  ['a field of JSON', PASSWORD, (s) => `{"level":"error","db_password":"${s}","n":1}`],
  ['a number in JSON', '48151623', (s) => `{"password": ${s}}`],
  ['JSON inside JSON', PASSWORD, (s) => JSON.stringify({ log: JSON.stringify({ api_key: s, n: 1 }) })],
  ['an environment as JSON', PASSWORD, (s) => `{"env":[{"name":"MYSQL_ROOT_PASSWORD","value":"${s}"}]}`],
  [
    'an environment as Go prints it',
    PASSWORD,
    (s) => `start failed in pod web: CreateContainerError: &Container{Env:[]EnvVar{EnvVar{Name:DB_PASSWORD,Value:${s},ValueFrom:nil,},},}`,
  ],
  ['a Go struct', PASSWORD, (s) => `auth {Username:bob Password:x}`.replace('Username:bob Password:x', `Password:${s}`)],
  ['YAML', PASSWORD, (s) => `stringData:\n  password: ${s}\n  user: bob`],
  ['a kubeconfig', of(BASE64, 'LS0tLS1C'), (s) => `users:\n- name: admin\n  user:\n    client-key-data: ${s}\n`],
  ['a static token', of('31ada4fd-adec-460c-', '809a-9e56ceb75269'), (s) => `users:\n- user:\n    token: ${s}\n`],
  ['a token to join', of('abcdef.', '0123456789abcdef'), (s) => `kubeadm join 10.0.0.1:6443 --token ${s} failed`],
  ['credentials of a registry', BASE64, (s) => `{"auths":{"registry.example":{"auth":"${s}"}}}`],
  ['a header', LETTERS, (s) => `X-Api-Key: ${s}, accept: text/html`],
  ['a cookie', of('session=', LETTERS, '; theme=dark'), (s) => `request refused\nCookie: ${s}\nHost: x`],
  ['a bearer token of letters', of('zyxwvut', 'srqponmlk'), (s) => `curl: Authorization: Bearer ${s}`],
  ['a token of another scheme', HEX.slice(0, 40), (s) => `refused: Authorization: Token ${s}, accept: */*`],
  ['a private key as base64', of('LS0tLS1CRUdJTiBSU0Eg', 'UFJJVkFURSBLRVktLS0tLQpNSUlFcEFJ'), (s) => `Invalid value: "${s}": no PEM block`],
  ['a variable with a short name', PASSWORD, (s) => `start with REDIS_PASS=${s} MODE=x`],
  ['a map of Go', PASSWORD, (s) => `bad options map[user:bob db_password:${s} tls:true]`],
  ['an environment as YAML', PASSWORD, (s) => `env:\n- name: DB_PASSWORD\n  value: ${s}\n- name: MODE\n`],
  ['a data source of Oracle', PASSWORD, (s) => `cannot open jdbc:oracle:thin:scott/${s}@//db.shop:1521/orders`],
  [
    'a Teams webhook',
    of('0fa8a2b1-1111-2222@0fa8a2b1-3333/IncomingWebhook/', HEX.slice(0, 32)),
    (s) => `https://x.webhook.office.com/webhookb2/${s} answered 404`,
  ],
  ['a password in Chinese', PASSWORD, (s) => `登录失败，用户: bob，密码：${s}，请重试`],
  ['an e-mail address', of('jane.doe+x', '@', 'shop.example.com'), (s) => `certificate of ${s}, expired`],
];

/** Texts that diagnosis or people need as they are. */
const SURVIVORS = [
  'Failed to pull image "registry.example:5000/team/app@sha256:9b2c7f0e5a4d3c2b1a0f9e8d7c6b5a4d3c2b1a0f9e8d7c6b5a4d3c2b1a0f9e8d": not found',
  'Container image "docker-pullable://nginx:1.25@sha256:0123456789abcdef0123456789abcdef" already present',
  'docker-pullable://my-registry-app-with-a-long-name-123@sha256:0123456789abcdef',
  'Ingress Sync ClientError. ErrorCode: E4011 Details: Secret web-tls has no qcloud cert id. RequestId: 7a3c1c9e-4e52-4b1c-9a53-0d2ad4b0c6f1',
  'Aliyun API Error: RequestId: 5F2A1B3C-0D4E-4F60-8A7B-9C0D1E2F3A4B Status Code: 400 Code: QuotaExceeded Message: quota exceeded',
  'MountVolume.SetUp failed for volume "db-password" : secret "db-password" not found',
  'MountVolume.SetUp failed for volume "kube-api-access-x2x9z" : failed to fetch token: serviceaccounts "default" not found',
  "Error: couldn't find key password in Secret shop/db-credentials",
  'Error: secret "token" not found',
  'failed to fetch token: pod "web-7c9f8d6b5-x2x9z" not found',
  'invalid token: expired at 2026-11-20T10:00:00Z',
  'error retrieving credentials: NoCredentialProviders: no valid providers in chain',
  'the bearer token is not valid; Basic authentication is disabled',
  'Www-Authenticate: Bearer realm="https://auth.docker.io/token",service="registry.docker.io"',
  'password authentication failed for user "app"',
  'wrong password: access denied for user root',
  'Authorization: Bearer was not sent; Authorization: Token expired',
  'automountServiceAccountToken=false useToken=true token=nil',
  'caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUN5RENDQWJDZ0F3SUJBZ0lCQURBTkJna3Fo is not valid',
  'tests: pass=3 fail=2, matched map[app:web token:]',
  '密码错误：用户 bob 的密码：已过期',
  '"Error syncing secret" err="not found" secret="kube-system/web-tls"',
  'Get "https://10.0.0.1:6443/api/v1/nodes/ip-10-0-3-17.ec2.internal?timeout=10s": dial tcp 10.0.0.1:6443: connect: connection refused',
  'Liveness probe failed: HTTP probe failed with statuscode: 500 at http://10.2.3.4:8080/healthz?token-check=off',
  '0/12 nodes are available: 3 Insufficient cpu, 9 Insufficient memory (requests 512Mi, limits 1.5Gi).',
  'open /etc/ssl/private/tls.key: no such file, private-key=/etc/ssl/private/tls.key',
  'image password-rotator:v1.2.3 pulled, secret-operator:1.4 started',
  'x509: certificate has expired, serial 03:a1:5b:cc:90:ff, signature algorithm: SHA256-RSA',
  'cloning git@github.com:team/app.git at 3f2a9c0b1d8e7f6a5b4c3d2e1f0a9b8c7d6e5f40',
  'impersonating casebook@shop-123.iam.gserviceaccount.com, module x@v1.2.3',
  'secretKeyRef: name=db key=password optional=false',
  'spec.tls[0].secretName: Invalid value: "web_tls": a lowercase RFC 1123 label',
  'failed to authorize: failed to fetch oauth token: unexpected status: 401 Unauthorized',
  'failed to fetch anonymous token: Get "https://auth.docker.io/token?scope=repository%3Alibrary%2Fnginx%3Apull&service=registry.docker.io": EOF',
  'pull access denied, may require authorization: server message: insufficient_scope: authorization failed',
  'open tls.key: permission denied; secrets "web-token-2026a" is forbidden: User "system:node:node-3" cannot get resource',
  'PWD=/app OLDPWD=/root exec failed; token == nil',
  'uid 9f1c2d7e-5d1c-4b0e-9d55-6a5f1f0c7a10, lb-2zeabcdefgh, cert id 6qHxYzAb',
];

describe('createMessageMask', () => {
  it.each(SECRETS)('takes out %s', (_what, secret, around) => {
    const text = around(secret);
    const masked = mask(text);
    expect(text).toContain(secret);
    expect(masked).not.toContain(secret);
    // The longest run of it that is left says nothing.
    const runs = Array.from({ length: Math.max(0, secret.length - 7) }, (_, i) => secret.slice(i, i + 8));
    expect(runs.filter((run) => masked.replace('***PRIVATE KEY***', '').includes(run))).toEqual([]);
    const [before, after] = around('\ue000').split('\ue000') as [string, string];
    expect(masked.startsWith(before.slice(0, before.length - 12))).toBe(true);
    if (!secret.includes('BEGIN') && after.length > 4) expect(masked.endsWith(after.slice(-4))).toBe(true);
  });

  it.each(SURVIVORS)('leaves alone: %s', (text) => expect(mask(text)).toBe(text));

  it('changes nothing the second time, wherever secrets stand beside each other', () => {
    const texts = SECRETS.map(([, secret, around]) => around(secret));
    for (const [i, text] of texts.entries()) {
      for (const joined of [text, `${text} ${texts[(i * 7 + 3) % texts.length]!}`, `${SURVIVORS[i % SURVIVORS.length]!}, ${text}`]) {
        expect(mask(mask(joined))).toBe(mask(joined));
      }
    }
  });

  it('keeps e-mail addresses when it is told to', () => {
    expect(createMessageMask({ emails: false, patterns: [] })('of jane@shop.example.com')).toBe('of jane@shop.example.com');
  });

  it('masks what the user asks for: all of a match, or its first group', () => {
    const own = createMessageMask({ emails: false, patterns: [RE2JS.compile('CUST-\\d+'), RE2JS.compile('(?i)badge (\\w+)(!?)')] });
    const masked = own('CUST-17 and CUST-18 showed Badge x77! to node-3');
    expect(masked).toBe('*** and *** showed Badge ***! to node-3');
    expect(own('nothing here')).toBe('nothing here');
  });

  it('takes time in proportion to the text', async () => {
    const pieces = [
      '"token":"',
      'x://',
      '://a:',
      ' token :',
      '\\',
      '\\"',
      'eyJaaaaaaaaa.',
      'a@',
      'a.',
      '\'"',
      'Name:',
      'curl ',
      '=password',
      '"password":"\\',
      'Bearer a1',
      ' --token ',
      '-----BEGIN PRIVATE KEY',
      'map[',
      'map[a:b ',
      'name: password\n',
      'Authorization: ',
      '密码：',
      'jdbc:oracle:thin:a/',
      'webhook.office.com/webhookb2/',
    ];
    const took = (length: number): Promise<number> =>
      cpuTime(() => {
        for (const piece of pieces) mask(piece.repeat(length / piece.length) + 'token= password: x "value": Value: @tcp( @x');
      });
    await took(16_384);
    const [short, long] = [await took(16_384), await took(131_072)];
    // Eight times the text; what grows with the square would take 64 times as long.
    expect(long).toBeLessThan(24 * short + 200);
  });
});
