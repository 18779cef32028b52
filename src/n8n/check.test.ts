import { expect, test } from 'vitest';
import { n8nCheck } from './check.ts';

test('does not wait for a local n8n that is starting, and reports a warning instead of a failure', async () => {
  const settings = {
    url: 'http://127.0.0.1:9',
    apiKey: 'key',
    timeoutMs: 1000,
    presence: {
      isUp: () => false,
      untilUp: () => Promise.reject(new Error('Nobody may wait for it.')),
    },
  };
  const part = { name: 'n8n default', kind: 'n8n', state: 'starting' } as const;
  const check = await n8nCheck('default', settings, AbortSignal.timeout(1000), part);
  expect(check).toMatchObject({ check: 'n8n default', result: 'warning', fix: 'Look again in a moment.' });
});
