import { expect, test } from 'vitest';
import { createN8nClient } from './client.ts';
import { unreached } from './unreached.ts';

// Nothing listens on port 1, so the connection is refused.
const settings = { url: 'http://127.0.0.1:1', apiKey: 'k', timeoutMs: 5000 };
const ask = { method: 'POST', path: '/api/v1/workflows' };

test('the error for an unreachable n8n says what to do', async () => {
  const far = createN8nClient('default', settings);
  await expect(far.http.ask(ask.method, ask.path)).rejects.toThrow(/Check that it runs and that N8N_URL or /);
  const lab = createN8nClient('lab', settings);
  await expect(lab.http.ask(ask.method, ask.path)).rejects.toThrow(/and that n8n\.lab\.url is right\.$/);
  const presence = { isUp: () => true, untilUp: async () => {} };
  const ours = createN8nClient('default', { ...settings, presence });
  await expect(ours.http.ask(ask.method, ask.path)).rejects.toThrow(/cannot be reached.*Sluice restarts it/);
});

test('a change without an answer is not to be repeated unseen', () => {
  const address = { name: 'lab', url: 'http://localhost:5678', headers: {}, timeoutMs: 1000 };
  const late = AbortSignal.abort();
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const gone = new TypeError('fetch failed', { cause: reset });
  const open = new AbortController().signal;
  const maybe = /n8n may have done it nevertheless: look before you repeat it\.$/;
  expect(unreached(address, new Error('x'), late, undefined, true).message).toMatch(maybe);
  expect(unreached(address, gone, open, undefined, true).message).toMatch(maybe);
  expect(unreached(address, new Error('x'), late).message).toMatch(/try again later\.$/);
  const refused = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) });
  expect(unreached(address, refused, open, undefined, true).message).not.toMatch(maybe);
});

test('a host whose addresses all fail is reported with the first failure', () => {
  const error = new AggregateError([new Error('connect ECONNREFUSED ::1:5678'), new Error('connect ECONNREFUSED')]);
  const address = { name: 'lab', url: 'http://localhost:5678', headers: {}, timeoutMs: 1000 };
  expect(unreached(address, error, new AbortController().signal).message).toContain(
    'cannot be reached: connect ECONNREFUSED ::1:5678.',
  );
});
