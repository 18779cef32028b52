import { expect, test } from 'vitest';
import { createRunNames } from './run-names.ts';

const records = { get: async () => undefined, put: async () => {}, secret: async () => Buffer.alloc(32) };
const here = () => false;

test('a workflow that is temporarily not a tool keeps its name', async () => {
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

test('a deleted workflow frees its name', async () => {
  const names = createRunNames(records);
  await names.assign([{ key: 'n/2', name: 'Report' }], here);
  await names.assign([{ key: 'n/1', name: 'Report' }], (key) => key === 'n/2');
  expect(names.get('n/1')).toBe('run_report');
});

test('no workflow gets the name of a compact tool', async () => {
  const names = createRunNames(records);
  await names.assign([{ key: 'n/1', name: 'Call' }], here);
  expect(names.get('n/1')).toMatch(/^run_call-/);
});
