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

  const hex = '9f86d081884c7d659a2feaa0c55ad015';
  const uuid = '0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f';

  it.each([
    ['a Telegram URL', `https://api.telegram.org/bot123456789:AAH${random.slice(0, 32)}/sendMessage`],
    ['a password of letters in JSON', '{"username":"bob","password":"correcthorse"}', 'correcthorse'],
    ['a short password in JSON', '{"password":"hunter2"}', 'hunter2'],
    ['a password with a comma', '{"password":"Hx7!kd92,LLq"}', 'LLq'],
    ['a password with an escaped quote', '{"password":"Hx7!kd92\\"LLq"}', 'LLq'],
    ['a password that is a number', '{"password": 90210777}', '90210777'],
    ['a password with an @ in a URL', 'https://bob:p@ssw1@host.com/x', 'ssw1'],
    ['a user who is called like a placeholder', 'postgres://yourapp:S3cretx9@db.acme.com/x', 'S3cretx9'],
    ['an Azure connection string', `AccountName=acme;AccountKey=${random}==;EndpointSuffix=core.windows.net`, random],
    ['a key under another name in a URL', `https://api.acme.com/data?appid=${hex}`, hex],
    ['a short user and password in base64', "{ 'Authorization': 'Basic dXNlcjpwYXNz' }", 'dXNlcjpwYXNz'],
    ['a token of letters after Bearer', "Authorization: 'Bearer mysecrettokenvalue'", 'mysecrettokenvalue'],
    ['a scheme of its own', `"Authorization": "Zoho-oauthtoken 1000.${hex}"`, hex],
    ['a token with dots', '{"authorization":"Bearer abc.def.ghijkl"}', 'abc.def'],
    ['a password with dots', '{"password":"my.own.word"}', 'own.word'],
    ['a name and a value in JSON', '[{"name": "dbPassword", "value": "correcthorse"}]', 'correcthorse'],
    ['a name and a value in YAML', '- name: DB_PASSWORD\n  value: hunter22', 'hunter22'],
    ['a user of curl', 'curl -u bob:hunter2 https://acme.com', 'hunter2'],
    ['a flag', 'mysqldump --password hunter22x db', 'hunter22x'],
    ['an environment variable', 'PGPASSWORD=hunter2 psql', 'hunter2'],
    ['the beginning of a form', 'password=hunter2&x=1', 'hunter2'],
    ['code that encodes it', 'const auth = btoa("bob:hunter2")', 'hunter2'],
    ['XML', '<wsse:Password Type="x">Sommer2024</wsse:Password>', 'Sommer2024'],
    ['SQL', "CREATE USER bob IDENTIFIED BY 'Sommer2024'", 'Sommer2024'],
    ['another language', 'Benutzer: bob\nPasswort: Sommer2024!', 'Sommer2024'],
    ['Markdown', '**Password:** Sommer2024!', 'Sommer2024'],
    ['a cookie in JSON', '{"cookie":"sid=abc123def456; x=1"}', 'abc123def456'],
    ['an encrypted private key', `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${random}\n-----END RSA`],
    ['a token without a signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0.', 'eyJzdWIi'],
    ['a key of 2,000 letters', `{"token":"${random.repeat(42)}"}`],
    ['a webhook of any n8n', `https://acme.app.n8n.cloud/webhook/${uuid}`, uuid],
    [
      'a webhook of Teams',
      `https://acme.webhook.office.com/webhookb2/${uuid}@${uuid}/IncomingWebhook/${hex}/${uuid}`,
      hex,
    ],
    ['a webhook of Make', `https://hook.eu1.make.com/${random.slice(0, 32)}`],
    ['a key with a less known format', `sk-${hex}`, hex],
  ])('replaces %s', (_, text, hidden = random.slice(0, 20)) => {
    expect(text).toContain(hidden);
    const { clean, found } = cleaned(text);
    expect(clean).not.toContain(hidden);
    expect(found).toContainEqual(['secret', 'parameters']);
    expect(cleaned(clean).clean).toBe(clean);
  });

  it.each<[string, unknown, string]>([
    ['a prefix', { assignments: [{ name: 'dbPassword', value: 'correcthorse', type: 'string' }] }, 'correcthorse'],
    ['a short form', { assignments: [{ name: 'smtp_pass', value: 'Sommer2024' }] }, 'Sommer2024'],
    ['an old Set node', { fields: { values: [{ name: 'apiKey', stringValue: hex }] } }, hex],
    ['a query parameter', { parameters: [{ name: 'key', value: hex }] }, hex],
    ['a header of Azure', { headers: [{ name: 'Ocp-Apim-Subscription-Key', value: hex }] }, hex],
    ['a header of GitLab', { headers: [{ name: 'PRIVATE-TOKEN', value: hex }] }, hex],
    ['another scheme', { headers: [{ name: 'Authorization', value: `Zoho-oauthtoken 1000.${hex}` }] }, hex],
    ['a placeholder beside', { headers: [{ name: 'Cookie', value: `id=${hex}; site=www.example.org` }] }, hex],
    ['a number', { password: 90210777 }, '90210777'],
    ['a literal in an expression', { name: 'Authorization', value: `={{ 'Bearer ' + '${hex}' }}` }, hex],
    ['a default in an expression', { password: "={{ $json.p || 'Sommer2024' }}" }, 'Sommer2024'],
    ['the name of a field', { [github]: 1 }, github],
  ])('replaces a secret in a field: %s', (_, value, hidden) => {
    expect(JSON.stringify(value)).toContain(hidden);
    const { clean, found } = cleaned(value);
    expect(JSON.stringify(clean)).not.toContain(hidden);
    expect(found[0]?.[0]).toBe('secret');
    expect(cleaned(clean).clean).toEqual(clean);
  });

  it('leaves nothing of secrets that overlap', () => {
    const text = `https://x.acme.com/?token=abc:${github}@host.acme.com/`;
    expect(cleaned(text).clean).not.toContain(github.slice(10));
  });

  it('reports what is random and may be a key', () => {
    expect(cleaned(`const sheet = '${random}'`)).toEqual({
      clean: `const sheet = '${random}'`,
      found: [['random', 'parameters']],
    });
    expect(cleaned(`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('a') }} ${uuid}`).found).toEqual([]);
  });

  it('replaces ids of this n8n wherever they are', () => {
    const ids = new Map([
      ['aB3xY9kLmN0pQrSt', 'YOUR_WORKFLOW_ID'],
      [uuid, 'orders'],
    ]);
    const text = `/workflow/aB3xY9kLmN0pQrSt calls /hook/${uuid}, not aB3xY9kLmN0pQrStX`;
    const { clean } = { clean: cleanTexts(text, '', { ...all, ids }, () => {}) };
    expect(clean).toBe('/workflow/YOUR_WORKFLOW_ID calls /hook/orders, not aB3xY9kLmN0pQrStX');
  });

  it('leaves out links into this n8n', () => {
    const workflowId = { __rl: true, mode: 'id', value: '={{ $json.id }}', cachedResultUrl: '/workflow/12' };
    const sheet = { value: 'x', cachedResultUrl: 'https://docs.acme.com/x' };
    const given = { workflowId, sheet };
    expect(cleanTexts(given, 'p', { ...all, ids: new Map() }, () => {})).toEqual({
      workflowId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
      sheet,
    });
    expect(cleaned(given).clean).toEqual(given);
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
    'const password = $json.password;',
    '{"password":"string","token":"access_token"}',
    'document.cookie = "access_token=" + token',
    'password: input.password, secret: env.SECRET',
    '{ "apiKey": "API_KEY" }',
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
    ['mongodb://mongo1:27017,mongo2:27017/db', 'mongodb://example.com,example.com/db'],
    ['{"host":"db.corp.internal","port":5432}', '{"host":"example.com","port":5432}'],
    ['Server=sql.corp.internal;Database=a', 'Server=example.com;Database=a'],
    ['ssh root@nas.lan, then db.internal:5432', 'ssh root@example.com, then example.com'],
    ['ping fd12:3456::1 now', 'ping example.com now'],
    ['\\\\NAS01\\share\\x', '\\\\example.com\\share\\x'],
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
    ['private keys without an end', '-----BEGIN PRIVATE KEY-----'],
    ['labels without a value', 'key==key=$'],
    ['passwords', 'password="\\"'],
    ['hosts', 'host="a.local.'],
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
