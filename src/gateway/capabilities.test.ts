import { expect, test } from 'vitest';
import type { Json } from '../kernel/source.ts';
import type { Backend } from './backends/backend.ts';
import { mergeCapabilities } from './capabilities.ts';

const backend = (name: string, catalogue?: { capabilities?: Json }) =>
  ({ name, catalogue: catalogue && { capabilities: {}, ...catalogue } }) as unknown as Backend;
const withAll = (...capabilities: Json[]) => capabilities.map((own, i) => backend(`b${i}`, { capabilities: own }));

test('tools are there in any case; a backend that never ran adds nothing', () => {
  expect(mergeCapabilities([backend('down')], 'modern')).toEqual({ tools: { listChanged: true } });
});

test('what one backend can do, all can', () => {
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

test('tasks as a capability are of 2025, extensions of both; they are merged in depth', () => {
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

test('capabilities of a wrong type count for nothing', () => {
  expect(mergeCapabilities(withAll({ resources: true, prompts: 'yes', logging: null }), 'legacy')).toEqual({
    tools: { listChanged: true },
  });
});
