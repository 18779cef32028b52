import { expect, test } from 'vitest';
import type { Era, Json, OwnPrompt, OwnResources } from '../kernel/source.ts';
import type { Backend } from './backends/backend.ts';
import { mergeCapabilities as merged } from './capabilities.ts';
import type { Offers } from './own-offers.ts';

const backend = (name: string, catalogue?: { capabilities?: Json }) =>
  ({ name, catalogue: catalogue && { capabilities: {}, ...catalogue } }) as unknown as Backend;
const nothing: Offers = { prompts: [], resources: [] };
const mergeCapabilities = (backends: Backend[], era: Era) => merged(backends, nothing, era);
const withAll = (...capabilities: Json[]) => capabilities.map((own, i) => backend(`b${i}`, { capabilities: own }));

test('tools are always declared; a backend that never ran adds nothing', () => {
  expect(mergeCapabilities([backend('down')], 'modern')).toEqual({ tools: { listChanged: true } });
});

test('a capability of one backend is a capability of the gateway', () => {
  const backends = withAll(
    { resources: {}, logging: {} },
    { resources: { subscribe: true }, prompts: {} },
    { completions: {} },
  );
  expect(mergeCapabilities(backends, 'legacy')).toEqual({
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  });
});

test('the tasks capability is only for 2025, extensions are for both; both are merged deeply', () => {
  const backends = withAll(
    { tasks: { list: {}, requests: { tools: { call: {} } } }, extensions: { 'a/x': { one: 1 } } },
    {
      tasks: { cancel: {}, requests: { sampling: {} } },
      extensions: { 'a/x': { two: 2 }, 'b/y': {} },
      experimental: { z: {} },
    },
  );
  expect(mergeCapabilities(backends, 'legacy')).toMatchObject({
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} }, sampling: {} } },
    extensions: { 'a/x': { one: 1, two: 2 }, 'b/y': {} },
    experimental: { z: {} },
  });
  expect(mergeCapabilities(backends, 'modern').tasks).toBeUndefined();
});

test('capabilities of a wrong type are ignored', () => {
  expect(mergeCapabilities(withAll({ resources: true, prompts: 'yes', logging: null }), 'legacy')).toEqual({
    tools: { listChanged: true },
  });
});

test("prompts and resources of our own are declared as a backend's are", () => {
  const prompts = [{ name: 'recall' } as OwnPrompt];
  const resources = [{ templates: [] } as unknown as OwnResources];
  expect(merged([], { prompts, resources: [] }, 'legacy')).toEqual({
    tools: { listChanged: true },
    prompts: { listChanged: true },
  });
  expect(merged(withAll({ resources: {} }), { prompts: [], resources }, 'modern')).toEqual({
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  });
  const completed = [{ name: 'recall', complete: async () => [] } as unknown as OwnPrompt];
  expect(merged([], { prompts: completed, resources }, 'modern')).toMatchObject({ completions: {} });
});
