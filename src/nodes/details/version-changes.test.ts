import { expect, test } from 'vitest';
import type { NodeDescription, Property } from '../description.ts';
import { changesBetween } from './version-changes.ts';

const since = (version: number) => ({ show: { '@version': [{ _cnd: { gte: version } }] } });
const until = (version: number) => ({ show: { '@version': [{ _cnd: { lte: version } }] } });

const node = (properties: Property[], more: Partial<NodeDescription> = {}): NodeDescription => ({
  name: 'pump',
  displayName: 'Pump',
  group: ['transform'],
  version: [1, 2],
  inputs: ['main'],
  outputs: ['main'],
  properties,
  ...more,
});

const flow: Property = { name: 'flow', displayName: 'Flow', type: 'number', default: 1 };
const mode: Property = {
  name: 'mode',
  displayName: 'Mode',
  type: 'options',
  default: 'in',
  options: [
    { name: 'In', value: 'in' },
    { name: 'Out', value: 'out', displayOptions: since(2) },
  ],
};

const between = (description: NodeDescription, other = description) =>
  changesBetween({ description, version: 1 }, { description: other, version: 2 });

test('a parameter that only one version has is added or removed', () => {
  const one = node([
    { ...flow, displayOptions: since(2) },
    { ...mode, name: 'old', options: [], displayOptions: until(1) },
  ]);
  expect(between(one)).toEqual([
    { change: 'added', path: 'flow', detail: 'number, default 1' },
    { change: 'removed', path: 'old', detail: 'options, default "in"' },
  ]);
});

test('two parameters of the same name are one that changed', () => {
  const one = node([
    { ...flow, displayOptions: until(1) },
    { ...flow, type: 'string', default: '2', required: true, displayOptions: since(2) },
  ]);
  expect(between(one)).toEqual([
    { change: 'changed', path: 'flow', detail: 'type number → string; default 1 → "2"; now required' },
  ]);
});

test('options that depend on the version are listed', () => {
  expect(between(node([mode]))).toEqual([{ change: 'changed', path: 'mode', detail: 'options added: out' }]);
});

test('a new group takes one line, and a new field in an existing group its own', () => {
  const options = (...fields: Property[]): Property => ({
    name: 'options',
    displayName: 'Options',
    type: 'collection',
    default: {},
    options: fields,
  });
  const came = between(node([]), node([options(flow)]));
  expect(came.map(({ path }) => path)).toEqual(['options']);
  expect(between(node([options()]), node([options(flow)])).map(({ path }) => path)).toEqual(['options.flow']);
});

test('inputs, outputs and credentials are compared too', () => {
  const other = node([], { outputs: ['main', 'main'], credentials: [{ name: 'pumpApi' }] });
  expect(between(node([]), other)).toEqual([
    { change: 'changed', path: 'outputs', detail: 'main → main, main' },
    { change: 'changed', path: 'credentials', detail: 'none → pumpApi' },
  ]);
});

test('equal versions give no changes', () => {
  expect(between(node([flow]))).toEqual([]);
});
