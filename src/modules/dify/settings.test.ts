import { expect, test } from 'vitest';
import { baseOf, difySettings, problemsIn } from './settings.ts';

test.each([
  ['https://api.dify.ai/v1', 'https://api.dify.ai/v1'],
  ['https://api.dify.ai', 'https://api.dify.ai/v1'],
  ['http://dify.local/', 'http://dify.local/v1'],
  ['http://dify.local/v1/', 'http://dify.local/v1'],
  ['http://proxy.local/dify', 'http://proxy.local/dify/v1'],
])('%s has its API at %s', (url, base) => {
  expect(baseOf(url)).toBe(base);
});

test.each([
  [{}, 'has no key'],
  [{ apiKey: 'app-1', apps: { default: 'app-2' } }, 'has an app named default, as apiKey has'],
  [{ apiKey: 'app-1' }, undefined],
  [{ datasetKey: 'dataset-1' }, undefined],
  [{ apps: { default: 'app-2' } }, undefined],
])('%j: %s', (given, message) => {
  expect(problemsIn(difySettings.parse(given))[0]?.message).toBe(message);
});
