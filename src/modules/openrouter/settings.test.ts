import { expect, test } from 'vitest';
import { parsed } from '../parsed.ts';
import openrouter from './module.ts';

const settings = (section: object) => parsed('openrouter', openrouter, { apiKey: 'key', ...section });

test('has a small budget for each day unless the file says otherwise, and five minutes for a call', () => {
  expect(settings({})).toMatchObject({ settings: { budget: { amount: 1, per: 'day' }, timeout: 300_000 } });
  expect(settings({ timeout: '1m' })).toMatchObject({ settings: { timeout: 60_000 } });
});

test.each([
  [5, { amount: 5, per: 'day' }],
  ['2.50', { amount: 2.5, per: 'day' }],
  [0, { amount: 0, per: 'day' }],
  [
    { amount: 50, per: 'month' },
    { amount: 50, per: 'month' },
  ],
  [{ amount: '50' }, { amount: 50, per: 'day' }],
])('a budget of %j', (budget, expected) => {
  expect(settings({ budget })).toMatchObject({ settings: { budget: expected } });
});

test.each([-1, 'many', '', Number.NaN, 2e6, { amount: 1, per: 'week' }, { amount: -1 }, {}, null, true])(
  'no budget of %j',
  (budget) => {
    expect(settings({ budget })).toHaveProperty('findings');
  },
);

test('needs a key for OpenRouter itself, not for other servers', () => {
  expect(parsed('openrouter', openrouter, {})).toMatchObject({
    findings: [{ path: ['modules', 'openrouter', 'apiKey'], message: 'is missing' }],
  });
  expect(parsed('openrouter', openrouter, { url: 'http://127.0.0.1:4000/v1' })).toHaveProperty('settings');
});
