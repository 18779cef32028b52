import { expect, test } from 'vitest';
import { z } from 'zod';
import { findingsOf } from '../host/config/schema-problems.ts';
import { secretsOf } from '../host/config/secrets.ts';
import { modelChoice } from './choice.ts';

const file = z.strictObject({ memory: z.strictObject({ embedder: modelChoice }) });
const url = 'https://api.example.com/v1';

function problems(embedder: unknown): string[] {
  const raw = { memory: { embedder } };
  const { error } = file.safeParse(raw);
  return findingsOf(error?.issues ?? [], file, raw).map(
    ({ path, message, fix }) => `${path.join('.')} ${message}. ${fix}`,
  );
}

test.each([
  [undefined, { kind: 'packaged' }],
  ['packaged', { kind: 'packaged' }],
  [{ directory: './minilm' }, { kind: 'directory', path: './minilm' }],
  [
    { url, model: 'm' },
    { kind: 'url', url, model: 'm' },
  ],
  [
    { url, model: 'm', apiKey: '', dimensions: '256' },
    { kind: 'url', url, model: 'm', dimensions: 256 },
  ],
  [
    { url, model: 'm', apiKey: 'sk-1' },
    { kind: 'url', url, model: 'm', apiKey: 'sk-1' },
  ],
])('%j', (given, choice) => {
  expect(modelChoice.parse(given)).toEqual(choice);
});

test.each([
  [
    'minilm',
    'memory.embedder must be packaged, { directory: … } or { url: …, model: … }. Correct this value; a text was given.',
  ],
  [{}, 'memory.embedder has no model. Write directory: PATH, or url and model.'],
  [{ url }, 'memory.embedder has a url but no model. Add model, for example text-embedding-3-small.'],
  [
    { directory: 'x', model: 'm' },
    'memory.embedder.model does not go with directory. Keep either directory, or url and model.',
  ],
  [
    { url: 'https://me:pw@example.com', model: 'm' },
    'memory.embedder.url contains a user name or password. Write the key as apiKey.',
  ],
  [
    { url: 'ftp://x', model: 'm' },
    'memory.embedder.url is not an http or https URL. Write the full URL, for example https://example.com/mcp.',
  ],
  [
    { url, model: 'm', dimensions: 0 },
    'memory.embedder.dimensions must be a whole number from 1 to 16000. Correct this value.',
  ],
  [{ url, modle: 'm' }, 'memory.embedder.modle "modle" is not a known key. Did you mean "model"?'],
])('%j is a problem that says what to do', (given, problem) => {
  expect(problems(given)).toEqual([problem]);
});

test('the key is redacted', () => {
  const tree = { memory: { embedder: { url, model: 'm', apiKey: 'sk-12345678' } } };
  expect(secretsOf({ dotenv: {}, used: [], env: {}, tree })).toContain('sk-12345678');
});
