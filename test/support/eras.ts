/** The dimensions of these tests: eras, transports, and a client of each. */
import type { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Client as V2Client } from '@modelcontextprotocol/client';
import { type ClientOptions, connectV1, connectV2, type Place, type TransportName } from '../integration/harness.ts';

export type Era = 'legacy' | 'modern';

export const eras: Era[] = ['legacy', 'modern'];

/** Client era and backend era. */
export const pairs: [client: Era, backend: Era][] = eras.flatMap((client) =>
  eras.map((backend): [Era, Era] => [client, backend]),
);

/** Every way to reach a backend, and every way in; HTTP+SSE never supported 2026. */
export const ways: [TransportName, Era][] = [
  ['http', 'legacy'],
  ['http', 'modern'],
  ['stdio', 'legacy'],
  ['stdio', 'modern'],
  ['sse', 'legacy'],
];

/** SDK v1 is the client of the 2025 versions, v2 that of 2026-07-28. */
export function connect(
  place: Place,
  era: Era,
  options: ClientOptions = {},
): Promise<(V1Client | V2Client) & AsyncDisposable> {
  return era === 'legacy' ? connectV1(place, options) : connectV2(place, { ...options, era });
}

/** Keys that a 2026 result must have; older clients and servers ignore them. */
export const complete = { resultType: 'complete' };
export const uncached = { ...complete, ttlMs: 0, cacheScope: 'private' };
