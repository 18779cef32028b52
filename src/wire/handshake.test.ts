import { expect, test } from 'vitest';
import { AppError, toAppError } from '../kernel/errors.ts';
import { negotiate, refusesLegacy } from './handshake.ts';
import type { Answer } from './service.ts';
import { MODERN } from './versions.ts';

/** The result of a 2025 handshake with a server that answers initialize like this. */
async function failureOf(answer: () => Promise<Answer>): Promise<AppError> {
  const greeting = { client: { info: {}, capabilities: {} }, timeoutMs: 1000, prior: 'legacy' as const };
  const server = { kind: 'http' as const, request: answer, reopen: async () => {} };
  return negotiate(server, greeting).then(
    () => new AppError('internal', 'It succeeded.'),
    (error: unknown) => toAppError(error),
  );
}

const error = (code: number) => async (): Promise<Answer> => ({ error: { code, message: 'No.' } });
const status = (status: number) => () => Promise.reject(new AppError('unavailable', 'No.', { data: { status } }));

test.each<[string, () => Promise<Answer>, boolean]>([
  ['unsupported version', error(-32022), true],
  ['unknown method', error(-32601), true],
  ['invalid request', error(-32600), true],
  ['invalid params', error(-32602), true],
  ['an unknown version', async () => ({ result: { protocolVersion: MODERN } }), true],
  ['HTTP 400', status(400), true],
  ['HTTP 404', status(404), true],
  ['an internal error', error(-32603), false],
  ['a custom error', error(-32000), false],
  ['HTTP 401', status(401), false],
  ['HTTP 403', status(403), false],
  ['HTTP 429', status(429), false],
  ['HTTP 503', status(503), false],
  ['silence', () => Promise.reject(new AppError('timeout', 'Silence.')), false],
])('%s says whether a server speaks 2025', async (_, answer, expected) => {
  expect(refusesLegacy(await failureOf(answer))).toBe(expected);
});
