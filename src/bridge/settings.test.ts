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
