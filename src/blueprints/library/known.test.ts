import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createReading, fromTexts } from './known.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const step = (index: number) => `  - { id: s${index}, tool: a_tool, arguments: { a: [1, 2, 3], b: { c: d } } }\n`;
const text = (name: string, steps = 100) =>
  `name: ${name}\ninputs: { x: { type: string }, y: { default: 1 } }\nsteps:\n${Array.from({ length: steps }, (_, index) => step(index)).join('')}`;

test('a list shows what it needs without the definitions', async () => {
  const [known] = await fromTexts('file', [{ where: 'a.yaml', text: text('a', 3) }], createReading());
  expect(known?.summary).toEqual({ steps: 3, inputs: ['x', 'y?'], needs: [] });
  expect(known?.definition()?.steps.map(({ id }) => id)).toEqual(['s0', 's1', 's2']);
});

test('a definition that was asked for lately is not read again, others are', async () => {
  const texts = Array.from({ length: 200 }, (_, index) => ({ where: `${index}.yaml`, text: text(`n${index}`) }));
  const all = await fromTexts('file', texts, createReading());
  const first = all[0]?.definition();
  expect(first).toBeDefined();
  expect(all[0]?.definition()).toBe(first);
  for (const { definition } of all) definition();
  expect(all[0]?.definition()).not.toBe(first);
  expect(all[0]?.definition()).toEqual(first);
});

test('many large definitions take little more memory than their texts', async () => {
  const texts = Array.from({ length: 300 }, (_, index) => ({ where: `${index}.yaml`, text: text(`n${index}`) }));
  const characters = texts.reduce((sum, one) => sum + one.text.length, 0);
  const reading = createReading();
  collect();
  const before = process.memoryUsage().heapUsed;
  const all = await fromTexts('file', texts, reading);
  for (const { definition } of all) definition();
  collect();
  expect(all).toHaveLength(300);
  // Each definition takes about twenty times as much as its text.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(characters * 8);
}, 60_000);
