import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTexts, type Found } from './clean-texts.ts';

/** Made up, and assembled at run time so that secret scanners do not flag this file. */
const random = 'q7Zk2Vd9Lr4Tx8Wm3Yb6Nc1Hf5Js0Pg7Ra2Ue9Qi4Do8Xz';
const github = `ghp_${random.slice(0, 36)}`;
const openai = `sk-${random}`;
const slackHook = ['https://hooks.slack.com/services', 'T0ABCDEF', 'B0ABCDEF', random.slice(0, 24)].join('/');

const all = { secrets: true, hosts: true, own: 'n8n.acme.io' };

function cleaned<T>(value: T, options: Partial<typeof all & { isNote: boolean }> = {}) {
  const found: [Found, string][] = [];
  const clean = cleanTexts(value, 'parameters', { ...all, ...options }, (what, where) => found.push([what, where]));
  return { clean, found };
}

const field = (name: string, value: string) => cleaned({ [name]: value }).clean[name];

describe('secrets in texts', () => {
  it.each([
    ['a token in code', `const t = '${github}';`, "const t = 'YOUR_GITHUB_TOKEN';"],
    ['two in one text', `${github} and ${openai}`, 'YOUR_GITHUB_TOKEN and YOUR_OPENAI_KEY'],
    ['a webhook URL, which stays one', slackHook, 'https://hooks.slack.com/YOUR_SLACK_WEBHOOK_URL'],
    ['a user in a URL', 'https://bob:hunter2@api.acme.com/x', 'https://YOUR_USER:YOUR_PASSWORD@api.acme.com/x'],
    ['a user without a password', 'ftp://deploy@files.acme.com/x', 'ftp://YOUR_USER@files.acme.com/x'],
    ['a password with braces', 'amqp://u:p{1}x@mq.acme.com/', 'amqp://YOUR_USER:YOUR_PASSWORD@mq.acme.com/'],
    [
      'a key in a query',
      '=https://x.acme.com/?a=1&key=abc&b={{ $json.b }}',
      '=https://x.acme.com/?a=1&key=YOUR_KEY&b={{ $json.b }}',
    ],
    ['a token in a query', 'https://x.acme.com/?access_token=1#top', 'https://x.acme.com/?access_token=YOUR_KEY#top'],
    [
      'a header in a command',
      `curl -H "Authorization: Bearer ${random}"`,
      'curl -H "Authorization: Bearer YOUR_TOKEN"',
    ],
    ['a JSON body', `{"apiKey": "${random}", "n": 1}`, '{"apiKey": "YOUR_KEY", "n": 1}'],
    ['JSON in JSON', `{\\"password\\":\\"Hx7!kd92-LLq\\"}`, `{\\"password\\":\\"YOUR_PASSWORD\\"}`],
    [
      'a connection string',
      'Server=db.acme.com;Password=Hx7!kd92-LLq;Pooling=1',
      'Server=db.acme.com;Password=YOUR_PASSWORD;Pooling=1',
    ],
    ['an environment file', `API_KEY=${random}\nMODE=a`, 'API_KEY=YOUR_KEY\nMODE=a'],
  ])('replaces %s', (_, text, wanted) => {
    expect(cleaned(text)).toEqual({ clean: wanted, found: [['secret', 'parameters']] });
    expect(cleaned(wanted)).toEqual({ clean: wanted, found: [] });
    expect(cleaned(text, { isNote: true }).clean).toBe(wanted);
    expect(cleaned(text, { secrets: false }).clean).toBe(text);
  });

  it('replaces the value of a field whose name says what it is', () => {
    const header = (name: string, value: string) => cleaned({ headers: [{ name, value }] }).clean.headers[0]?.value;
    expect(header('Authorization', 'Bearer abcdef')).toBe('Bearer YOUR_TOKEN');
    expect(header('X-Api-Key', 'abc12345')).toBe('YOUR_KEY');
    expect(header('Cookie', 'session=1; theme=dark')).toBe('YOUR_COOKIE');
    expect(header('Accept', 'application/json')).toBe('application/json');
    expect(field('password', 'hunter22')).toBe('YOUR_PASSWORD');
    expect(field('client_secret', 'correcthorse')).toBe('YOUR_SECRET');
    expect(field('token', 'string')).toBe('string');
  });

  it.each([
    '={{ $json.token }}',
    '=Bearer {{ $credentials.key }}',
    'https://api.acme.com/?key={{ $json.key }}',
    'https://api.acme.com/?token=${token}',
    "'https://api.acme.com/?key=' + key",
    'const token = response.data.access_token;',
    'max_tokens: 4096, temperature: 0.7',
    'https://medium.com/@somebody/a-page',
    'Create an API key: it starts with sk-...',
    '{"type":"object","required":["password"]}',
  ])('leaves alone: %s', (text) => {
    expect(cleaned(text)).toEqual({ clean: text, found: [] });
  });

  it('reports where, and never what', () => {
    const value = { a: [{ b: 'x' }, { b: `say ${github}` }], c: { d: openai } };
    expect(cleaned(value).found).toEqual([
      ['secret', 'parameters.a[1].b'],
      ['secret', 'parameters.c.d'],
    ]);
  });
});

describe('private addresses in texts', () => {
  it.each([
    ['http://localhost:5678/webhook/a?b=1', 'http://example.com/webhook/a?b=1'],
    ['LOCALHOST. is http://LOCALHOST./x', 'LOCALHOST. is http://example.com/x'],
    ['http://192.168.1.20/api', 'http://example.com/api'],
    ['http://10.1.2.3:8080', 'http://example.com'],
    ['http://172.20.0.1/', 'http://example.com/'],
    ['http://100.100.1.1/ (Tailscale)', 'http://example.com/ (Tailscale)'],
    ['http://0x7f.1/ and http://2130706433/', 'http://example.com/ and http://example.com/'],
    ['http://[::1]:3000/a', 'http://example.com/a'],
    ['http://[fd12:3456::1]/', 'http://example.com/'],
    ['http://[::ffff:10.0.0.1]/', 'http://example.com/'],
    ['http://%6cocalhost/x', 'http://example.com/x'],
    ['http://169.254.169.254/latest/meta-data', 'http://example.com/latest/meta-data'],
    ['http://postgres:5432/db', 'http://example.com/db'],
    ['=http://localhost:3000{{ $json.path }}', '=http://example.com{{ $json.path }}'],
    ['https://wiki.corp.internal/page', 'https://example.com/page'],
    ['https://nas.local/share', 'https://example.com/share'],
    ['redis://:@cache.svc:6379/0', 'redis://:@example.com/0'],
    ['https://n8n.acme.io/webhook/x', 'https://example.com/webhook/x'],
    ['Open n8n.acme.io:443 first', 'Open example.com first'],
    ['{"url":"http:\\/\\/localhost:3000\\/x"}', '{"url":"http:\\/\\/example.com\\/x"}'],
    ['https://a.com/?to=http%3A%2F%2Flocalhost%3A3000%2Fx', 'https://a.com/?to=http%3A%2F%2Fexample.com%3A3000%2Fx'],
    ['={{ "http://localhost:3000/" + $json.id }}', '={{ "http://example.com/" + $json.id }}'],
    ['=https://{{ $json.team }}.corp.internal/x', '=https://example.com/x'],
    ['the server 192.168.0.4:22, not 8.8.8.8', 'the server example.com, not 8.8.8.8'],
  ])('replaces %s', (text, wanted) => {
    expect(cleaned(text).clean).toBe(wanted);
    expect(cleaned(wanted).clean).toBe(wanted);
    expect(cleaned(text, { hosts: false }).clean).toBe(text);
  });

  it('replaces a host that is all of a field for hosts', () => {
    expect(field('host', 'db.internal:5432')).toBe('example.com');
    expect(field('host', 'redis')).toBe('example.com');
    expect(field('host', 'smtp.acme.com')).toBe('smtp.acme.com');
    expect(field('server', 'localhost')).toBe('example.com');
    expect(field('hostType', 'shared')).toBe('shared');
    expect(field('field', 'data.local')).toBe('data.local');
  });

  it.each([
    'https://api.openai.com/v1/chat',
    'https://example.com/x',
    '=https://{{ $json.host }}/x',
    'https://${host}/x',
    '/^https:\\/\\/drive\\.google\\.com/.test(url)',
    '=https://office.{{ $json.domain }}/x',
    'https://www.',
    'gid://shopify/Order/1',
    'https://QDRANT_URL/collections',
    'https://[your url]/x',
    'Chrome/10.0.0.0 Safari',
    '=https://api{{ $json.zone }}/x',
    'https://YOUR_HOST/x',
    'item.json.local = this.internal',
    'version 1.2.3.4',
    'https://docs.acme.com/localhost',
    'http://www.w3.org/2000/svg',
  ])('leaves alone: %s', (text) => {
    expect(cleaned(text)).toEqual({ clean: text, found: [] });
  });

  it('only reports e-mail addresses', () => {
    expect(cleaned('Write to bob@acme.com')).toEqual({
      clean: 'Write to bob@acme.com',
      found: [['mail', 'parameters']],
    });
    expect(cleaned('someone@example.com, @user, a@b').found).toEqual([]);
  });
});

describe('hostile texts', () => {
  const pieces = fc.constantFrom(
    'http://',
    '://',
    '@',
    ':',
    '?key=',
    '&token=',
    '{{',
    '}}',
    'Bearer ',
    'password="',
    '"',
    "'",
    '\\',
    '%3A%2F%2F',
    'localhost',
    '10.0.0.1',
    '[::1]',
    'sk-',
    'eyJ',
    'AKIA',
    'a.internal',
    '\u0000',
    '\ud800',
    ' ',
    '\n',
    'x',
    '1',
    '/',
    '=',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  );

  it('are cleaned once and for all, whatever they are', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('', 'password', 'host', 'Authorization'), (given, name) => {
        const { clean } = cleaned({ [name]: given });
        expect(cleaned(clean).clean).toEqual(clean);
      }),
      { numRuns: 2000 },
    );
  });

  it('do not hide what is known to be secret or private', () => {
    const planted = fc.constantFrom(
      github,
      openai,
      'AKIA'.concat('Q7ZK2VD4LR4TX2WM'),
      'http://192.168.7.7/',
      'https://u:pw1x9@h.com/',
      '?api_key=zzz1',
    );
    fc.assert(
      fc.property(text, planted, text, (before, secret, after) => {
        const { clean } = cleaned(`${before} ${secret} ${after}`);
        const hidden = ['192.168.7.7', 'pw1x9', 'zzz1', github, openai, 'AKIAQ7'].filter((one) => secret.includes(one));
        for (const one of hidden) expect(clean).not.toContain(one);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['letters', 'a'],
    ['beginnings of keys', '-sk-'],
    ['beginnings of tokens', '-eyJaaaaaaaaaaaa.'],
    ['schemes', 'a.a.a://'],
    ['queries', '?key='],
    ['assignments', 'token="token:'],
    ['users', 'x://a:'],
    ['at signs', 'a@b.'],
    ['braces', '{{{'],
    ['numbers', '10.0.0.'],
    ['private keys', '-----BEGIN A '],
  ])('take time in proportion to their length: %s', (_, piece) => {
    const started = performance.now();
    cleaned({ content: piece.repeat(Math.ceil(1_000_000 / piece.length)) });
    expect(performance.now() - started).toBeLessThan(4000);
  });

  it('that nest too deeply are refused', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 2000; level++) deep = [deep];
    expect(() => cleaned(deep)).toThrow('levels deep');
  });
});
