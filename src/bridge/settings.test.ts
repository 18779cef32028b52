import { describe, expect, test } from 'vitest';
import { bridgeOf, bridgeSettings } from './settings.ts';

describe('settings of the bridge', () => {
  test('everything has a default', () => {
    expect(bridgeSettings.bridge.parse({ workflows: { tag: 'mcp' } })).toEqual(bridgeSettings.bridge.parse({}));
  });

  test('can be overridden for one n8n', () => {
    const section = bridgeSettings.bridge.parse({
      poll: '1m',
      workflows: { tag: 'tool', exclude: ['Draft*'] },
      instances: { prod: { workflows: { include: ['Report'] }, apply: 'auto' }, test: { enabled: false } },
    });
    expect(bridgeOf(section, 'prod')).toMatchObject({
      enabled: true,
      apply: 'auto',
      poll: 60_000,
      // An overriding section replaces the common one. The two are not merged.
      workflows: { tag: 'mcp', include: ['Report'], exclude: [] },
    });
    expect(bridgeOf(section, 'test')).toMatchObject({ enabled: false, workflows: { tag: 'tool' } });
    expect(bridgeOf(section, 'default')).toMatchObject({ apply: 'ask', workflows: { tag: 'tool' } });
    expect(bridgeOf(section, '__proto__')).toMatchObject({ apply: 'ask' });
  });

  test.each([
    ['shared-volume', 'file'],
    ['file', 'file'],
    ['api', 'poll'],
    ['poll', 'poll'],
    ['hooks', 'hook'],
    ['hook', 'hook'],
  ])('discovery %s means %s, alone or as a method with an interval', (given, meant) => {
    const alone = bridgeSettings.bridge.parse({ discovery: given });
    expect(bridgeOf(alone, 'default')).toMatchObject({ discovery: meant, scan: meant === 'poll' ? 30_000 : 300_000 });
    const section = bridgeSettings.bridge.parse({
      poll: '1h',
      discovery: { method: given, refreshInterval: '10s' },
      instances: { slow: { poll: '2h' }, own: { discovery: { refreshInterval: '1m' } } },
    });
    expect(bridgeOf(section, 'default')).toMatchObject({ discovery: meant, poll: 10_000, scan: 10_000 });
    expect(bridgeOf(section, 'slow')).toMatchObject({ discovery: meant, poll: 7_200_000 });
    expect(bridgeOf(section, 'own')).toMatchObject({ discovery: 'poll', scan: 60_000 });
  });

  test.each([
    { discovery: { method: 'magic' } },
    { discovery: { interval: '30s' } },
    { workflow: { tag: 'mcp' } },
    { workflows: { tags: ['mcp'] } },
    { workflows: { tag: 'x'.repeat(25) } },
    { workflows: 'mcp' },
    { tools: { include: [''] } },
    { discovery: 'magic' },
    { poll: 'often' },
    { poll: 0 },
    { timeouts: { 'run_*': 'long' } },
    { instances: { prod: { instances: {} } } },
    { instances: { 'a b': {} } },
  ])('%j is refused', (given) => {
    expect(bridgeSettings.bridge.safeParse(given).success).toBe(false);
  });
});
