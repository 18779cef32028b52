import { expect, test } from 'vitest';
import { errorFrom } from './http-errors.ts';

const address = { name: 'default', url: 'http://n8n.example', headers: {}, timeoutMs: 1000 };
const error = (status: number, body: unknown) =>
  errorFrom(address, { status, body, headers: new Headers() }, 'GET', '/api/v1/workflows/1?x=secret');

test.each<[number, unknown, string, RegExp]>([
  [400, { message: 'bad nodes' }, 'invalid_input', /answered 400 to GET \/api\/v1\/workflows\/1: bad nodes/],
  [401, { message: 'Unauthorized' }, 'unauthenticated', /n8n\.default\.apiKey/],
  [403, { message: 'Forbidden' }, 'forbidden', /may lack a scope/],
  [403, { message: 'Your license does not allow for this' }, 'unsupported', /licence/],
  [404, { message: 'Not Found' }, 'not_found', /Not Found/],
  [404, '<title>Error</title><pre>Cannot GET /api/v1/workflows/1</pre>', 'unavailable', /still starting/],
  [413, '<pre>PayloadTooLargeError</pre>', 'too_large', /16 MB/],
  [302, '', 'unavailable', /redirect/],
  [500, '<title>Error</title>', 'internal', /answered 500/],
  [503, 'n8n is starting up. Please wait', 'unavailable', /starting up/],
])('%s with %j is %s', (status, body, code, message) => {
  const found = error(status, body);
  expect(found.code).toBe(code);
  expect(found.message).toMatch(message);
  expect(found.message).not.toContain('secret');
  expect(found.data).toMatchObject({ workflowId: '1' });
});

test.each([
  ['feat:variables', /does not include feat:variables\. Variables need n8n Cloud Pro/],
  ['feat:projectRole:admin', /does not include feat:projectRole:admin\. Projects need a paid plan/],
  ['feat:folders', /Folders need a paid plan, or a Community edition that you register/],
  ['feat:nodeTypePolicies', /does not include feat:nodeTypePolicies\. n8n\.io\/pricing says/],
])('a licence without %s is named', (feature, words) => {
  const found = error(403, { message: `Your license does not allow for ${feature}. To enable ${feature}, upgrade.` });
  expect(found).toMatchObject({ code: 'unsupported', data: { status: 403, feature } });
  expect(found.message).toMatch(words);
});

test('a refused key and a missing key get different messages, and both say where to set it', () => {
  const answer = { status: 401, body: { message: 'Unauthorized' }, headers: new Headers() };
  const said = (name: string, headers: Record<string, string>) =>
    errorFrom({ ...address, name, headers }, answer, 'GET', '/api/v1/workflows').message;
  expect(said('default', { 'x-n8n-api-key': 'k' })).toMatch(
    /refused the API key\. .* N8N_API_KEY or n8n\.default\.apiKey\.$/,
  );
  expect(said('default', {})).toMatch(/^There is no API key for n8n \(default\)\./);
  expect(said('lab', {})).toMatch(/and set n8n\.lab\.apiKey\.$/);
});
