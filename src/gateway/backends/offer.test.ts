import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serverSchema } from '../config/server-entry.ts';
import type { Json } from '../../kernel/source.ts';
import type { Upstream } from '../../wire/upstream.ts';
import { MODERN } from '../../wire/versions.ts';
import { newLocalShared } from '../../../test/support/local-shared.ts';
import { createOffer } from './offer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const DAY = 24 * 3_600_000;

const upstream = (info: Json) =>
  ({ handshake: { era: 'modern', version: MODERN, capabilities: { tools: {} }, info } }) as unknown as Upstream;

function fixture() {
  let saved: { fingerprint: string; value: unknown } | undefined;
  const catalogues = {
    get: async () => saved,
    put: async (_: string, fingerprint: string, value: unknown) => void (saved = { fingerprint, value }),
    delete: async () => {},
  };
  const definitions = { all: async () => [], get: async () => undefined, put: async () => {}, delete: async () => {} };
  const create = () =>
    createOffer({
      server: 'server',
      settings: () => serverSchema.parse({ url: 'http://127.0.0.1:1/mcp' }),
      store: { catalogues, definitions, shared: newLocalShared() } as never,
      events: { record() {} },
      ask: async () => ({ result: { tools: [] } }),
      running: () => undefined,
      wanted: () => false,
      changed() {},
      failed(error) {
        throw error;
      },
    });
  return { create };
}

test('whether a 2026 server speaks 2025 is remembered for a day, also over a restart', async () => {
  const { create } = fixture();
  const offer = create();
  // Before anything was read, there is no catalogue to store it in.
  offer.learnLegacy(false);
  await offer.read(upstream({ name: 'server', version: '1' }));
  expect(offer.speaksLegacy()).toBeUndefined();
  offer.learnLegacy(false);
  expect(offer.speaksLegacy()).toBe(false);
  await offer.read(upstream({ name: 'server', version: '1' }));
  expect(offer.speaksLegacy()).toBe(false);

  const restarted = create();
  await restarted.restore();
  expect(restarted.speaksLegacy()).toBe(false);
  await vi.advanceTimersByTimeAsync(DAY);
  expect(restarted.speaksLegacy()).toBeUndefined();
  restarted.learnLegacy(true);
  expect(restarted.speaksLegacy()).toBe(true);
});

test('another version of the server is tried again', async () => {
  const offer = fixture().create();
  await offer.read(upstream({ name: 'server', version: '1' }));
  offer.learnLegacy(false);
  await offer.read(upstream({ name: 'server', version: '2' }));
  expect(offer.speaksLegacy()).toBeUndefined();
});
