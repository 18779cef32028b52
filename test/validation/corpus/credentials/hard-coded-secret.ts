import { broken, type Case, flow, node, valid } from '../../case.ts';
import { code, value, withCode, withValue } from '../../expression-flow.ts';

const rule = 'hard-coded-secret';
const request = (parameters: Record<string, unknown>) =>
  flow(
    [
      node('Start', 'manualTrigger', 1),
      node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com', options: {}, ...parameters }),
    ],
    ['Start -> Fetch'],
  );
const header = (name: string, text: string) =>
  request({ sendHeaders: true, headerParameters: { parameters: [{ name, value: text }] } });
const headerPath = '/nodes/1/parameters/headerParameters/parameters/0/value';
/** Split in two, so that secret scanners do not flag this file. */
const made = (front: string, rest = '') => front + (rest || 'q7Zk2Vd9Lr4Tx8Wm3Yb6Nc1Hf5Js0Pg7Ra2Ue9');

/** Assembled at run time, so that secret scanners do not flag this file. */
const privateKey = ['PRIVATE', 'KEY'].join(' ');

export const cases: Case[] = [
  valid('a key from the data', header('Authorization', '=Bearer {{ $json.token }}')),
  valid('a placeholder for a key', header('Authorization', 'Bearer YOUR_API_KEY_GOES_HERE_12345')),
  valid('another placeholder for a key', header('X-Api-Key', '<paste-your-key-here-1234>')),
  valid('a run of x', withValue('sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')),
  valid('an ordinary header', header('X-Request-Id', '3f2c1b0a-9d8e-4f7a-b6c5-0123456789ab')),
  valid('a hash', withValue('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')),
  valid('a picture', withValue(`data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(4)}`)),
  valid('text about tokens', withValue('The token: "max_tokens_to_sample_2024" is a setting.')),
  valid('a database URL without a password', withValue('postgres://reader@db.example.com/orders')),
  broken('an OpenAI key in a header', header('Authorization', `Bearer ${made('sk-proj-')}`), [
    { rule, path: headerPath, severity: 'warning', says: 'OpenAI' },
  ]),
  broken('a key recognised by its name', header('X-Api-Key', made('', 'a8F3kL9zQ2wE7rT5yU1iO4pS6dG0hJ')), [
    { rule, path: headerPath, says: 'X-Api-Key' },
  ]),
  broken('a key in a query', request({ url: `https://example.com/?api_key=${made('')}` }), [
    { rule, path: '/nodes/1/parameters/url' },
  ]),
  broken('a password in a URL', request({ url: 'https://admin:correct-horse-42@example.com/' }), [
    { rule, path: '/nodes/1/parameters/url', says: 'password' },
  ]),
  broken('a key in a field', withValue(made('ghp_', 'q7Zk2Vd9Lr4Tx8Wm3Yb6Nc1Hf5Js0Pg7Ra2Ue')), [
    { rule, path: value, says: 'GitHub' },
  ]),
  broken('a key in code', withCode(`const apiKey = '${made('')}';\nreturn [{ json: { apiKey } }];`), [
    { rule, path: code, says: 'line 1' },
  ]),
  broken(
    'a private key',
    withCode(
      `const pem = \`-----BEGIN ${privateKey}-----\n${made('MIIEvQIBADANBg')}\n\`;\nreturn [{ json: { pem } }];`,
    ),
    [{ rule, path: code, says: 'private key' }],
  ),
  broken(
    'a bot token in a note',
    flow([
      node('Start', 'manualTrigger', 1),
      node('Note', 'stickyNote', 1, {
        content: `The bot is 123456780:${made('AA', 'Hq7Zk2Vd9Lr4Tx8Wm3Yb6Nc1Hf5Js0PgR')}`,
      }),
    ]),
    [{ rule, path: '/nodes/1/parameters/content', says: 'Telegram' }],
  ),
  broken('a password in code', withCode(`const password = '${made('Hx7!', 'kd92-LLq')}';\nreturn [];`), [
    { rule, path: code },
  ]),
  broken(
    'a password in a body',
    request({
      method: 'POST',
      sendBody: true,
      bodyParameters: { parameters: [{ name: 'password', value: made('Su9!', 'perSecret') }] },
    }),
    [{ rule, path: '/nodes/1/parameters/bodyParameters/parameters/0/value' }],
  ),
  broken(
    'a token with characters in order',
    header('Authorization', `Bearer ${made('sk-1234567890', 'abcdef1234567890abcdef')}`),
    [{ rule, path: headerPath }],
  ),
  valid('a word as a password', withCode("const password = $('Start').first().json.password;\nreturn [];")),
];
