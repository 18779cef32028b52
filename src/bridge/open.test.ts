import { expect, test, vi } from 'vitest';
import { openBridge } from './open.ts';

vi.mock('./bridge.ts', () => {
  let makes = 0;
  return {
    async createBridge() {
      if (makes++ === 0) throw new Error('the store is away');
      return { sources: [], servers: () => ({}), async [Symbol.asyncDispose]() {} };
    },
  };
});

test('a bridge that could not be opened is opened with the next use', async () => {
  const host = { store: { settings: {} }, shared: {}, settings: () => ({}) };
  const gateway = { serve() {}, addSources() {} };
  const n8n = { usedBy() {}, instances: async () => ({ names: () => ['lab'], onWrite() {} }) };
  const bridge = await openBridge(host as never, { gateway, n8n } as never);
  await expect(bridge.api.open()).rejects.toThrow('the store is away');
  expect(await bridge.api.open()).toHaveProperty('sources');
  await bridge[Symbol.asyncDispose]?.();
});
