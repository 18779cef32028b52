import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Catalogue, emptyCatalogue, type ListKind, listKinds } from './catalogue.ts';
import { createExpiry } from './expiry.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function catalogueOf(
  capabilities: object,
  ttl: Partial<Record<ListKind, number>>,
  era: 'modern' | 'legacy' = 'modern',
) {
  const made: Catalogue = emptyCatalogue(
    { era, version: '', info: {}, capabilities: capabilities as Record<string, unknown> },
    0,
  );
  for (const kind of listKinds) made.hints[kind] = { ttlMs: ttl[kind] ?? 0, cacheScope: 'public' };
  return made;
}

function watched(wanted = true) {
  const world = { wanted, expired: [] as ListKind[][] };
  const expiry = createExpiry({
    wanted: () => world.wanted,
    expired: (kinds) => void world.expired.push([...kinds].sort()),
  });
  return { world, expiry };
}

test('each list expires after its own TTL', () => {
  const { world, expiry } = watched();
  expiry.read(catalogueOf({ tools: {}, prompts: {} }, { tools: 30_000, prompts: 60_000 }), listKinds);
  vi.advanceTimersByTime(29_999);
  expect(world.expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(world.expired).toEqual([['tools']]);
  vi.advanceTimersByTime(30_000);
  expect(world.expired).toEqual([['tools'], ['prompts']]);
});

test('no list expires before ten seconds, however short its TTL', () => {
  const { world, expiry } = watched();
  expiry.read(catalogueOf({ tools: {} }, { tools: 0 }), listKinds);
  vi.advanceTimersByTime(9999);
  expiry.attend();
  expect(world.expired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(world.expired).toEqual([['tools']]);
});

test('resources and their templates are one capability', () => {
  const { world, expiry } = watched();
  expiry.read(catalogueOf({ resources: {} }, {}), listKinds);
  vi.advanceTimersByTime(10_000);
  expect(world.expired).toEqual([['resources', 'templates']]);
});

test.each([
  ['gives notice of changes', catalogueOf({ tools: { listChanged: true } }, {})],
  ['has no such list', catalogueOf({}, {})],
  ['speaks 2025, which has no TTL', catalogueOf({ tools: {} }, {}, 'legacy')],
])('a server that %s is not asked again', (_, catalogue) => {
  const { world, expiry } = watched();
  expiry.read(catalogue, listKinds);
  vi.advanceTimersByTime(24 * 3_600_000);
  expiry.attend();
  expect(world.expired).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('nothing is read while no client is interested, and once when one comes', () => {
  const { world, expiry } = watched(false);
  expiry.read(catalogueOf({ tools: {} }, {}), listKinds);
  vi.advanceTimersByTime(3_600_000);
  expect(world.expired).toEqual([]);
  expiry.attend();
  expiry.attend();
  expect(world.expired).toEqual([['tools']]);
});

test('a TTL beyond the range of a timer works', () => {
  const { world, expiry } = watched();
  expiry.read(catalogueOf({ tools: {} }, { tools: 2 ** 31 + 5000 }), listKinds);
  vi.advanceTimersByTime(2 ** 31);
  expect(world.expired).toEqual([]);
  vi.advanceTimersByTime(5000);
  expect(world.expired).toEqual([['tools']]);
});

test('a server that is stopped is not read', () => {
  const { world, expiry } = watched();
  expiry.read(catalogueOf({ tools: {} }, {}), listKinds);
  expiry.stop();
  vi.advanceTimersByTime(60_000);
  expect(world.expired).toEqual([]);
});
