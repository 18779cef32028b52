import { expect, test } from 'vitest';
import { createRunNames } from './run-names.ts';

const records = { get: async () => undefined, put: async () => {}, secret: async () => Buffer.alloc(32) };
const here = () => false;

test('a workflow that is no tool for a while keeps its name: no other is called by it', async () => {
  const names = createRunNames(records);
  await names.assign([{ key: 'n/2', name: 'Report' }], here);
  await names.assign([{ key: 'n/1', name: 'Report' }], here);
  const second = names.get('n/1');
  expect(second).toMatch(/^run_report-[0-9a-f]{6}$/);
  await names.assign(
    ['n/1', 'n/2'].map((key) => ({ key, name: 'Report' })),
    here,
  );
  expect([names.get('n/1'), names.get('n/2')]).toEqual([second, 'run_report']);
});

test('one that is gone gives its name back', async () => {
  const names = createRunNames(records);
  await names.assign([{ key: 'n/2', name: 'Report' }], here);
  await names.assign([{ key: 'n/1', name: 'Report' }], (key) => key === 'n/2');
  expect(names.get('n/1')).toBe('run_report');
});

test('none is called as the tools that stand for all of them', async () => {
  const names = createRunNames(records);
  await names.assign([{ key: 'n/1', name: 'Call' }], here);
  expect(names.get('n/1')).toMatch(/^run_call-/);
});
