import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { explain } from './explain.ts';

const said = (status: number, error: string) =>
  explain(new HttpError(status, JSON.stringify({ status: { error }, time: 0 }), {}), {
    at: 'qdrant at x:6333',
    setting: 'modules.qdrant',
  });

test.each([
  [401, '', 'unavailable', 'Correct modules.qdrant.apiKey'],
  [403, 'Forbidden: Global manage access is required', 'unavailable', 'Global manage access is required. Correct'],
  [403, 'Forbidden: Index required but not found for "a"', 'invalid_input', 'qdrant_create_index makes an index'],
  [400, 'Bad request: Index required but not found for "a"', 'invalid_input', 'qdrant_create_index makes an index'],
  [302, '', 'unavailable', 'Set modules.qdrant.url'],
  [404, "Not found: Collection `a` doesn't exist!", 'not_found', 'qdrant_list_collections shows the names'],
  [404, 'Not found: No point with id 7 found', 'not_found', 'No point with id 7'],
  [404, '', 'unsupported', 'Update Qdrant'],
  [409, 'Wrong input: Collection `a` already exists!', 'conflict', 'already exists!'],
  [400, 'Wrong input: Vector dimension error', 'invalid_input', 'Vector dimension error. Change it'],
  [413, 'too large', 'too_large', 'Send fewer points'],
  [500, 'Service internal error', 'unavailable', 'HTTP 500: Service internal error.'],
])('%s %s', (status, error, code, text) => {
  const made = said(status, error);
  expect(made.code).toBe(code);
  expect(made.message).toContain(text);
});

test('pages of proxies are not quoted', () => {
  expect(explain(new HttpError(502, '<html>Bad', {}), { at: 'q', setting: 's' }).message).toContain(
    'it gives no reason',
  );
});
