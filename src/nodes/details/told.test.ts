import { expect, test } from 'vitest';
import { templateOf, told } from './told.ts';

const first = '11111111-1111-4111-8111-111111111111';
const second = '22222222-2222-4222-8222-222222222222';
const json = JSON.stringify({ nodes: [{ id: first, path: `${second}/"x"` }, { id: second }], said: 'tab\there …' });

test('ids are new each time, but the same within one text', () => {
  const template = templateOf(json, [first, second]);
  const texts = [told(template), told(template)].map((one) => one.json);
  const read = texts.map((text) => JSON.parse(text) as { nodes: [{ id: string; path: string }, { id: string }] });
  for (const { nodes } of read) expect(nodes[0].path).toBe(`${nodes[1].id}/"x"`);
  const ids = read.flatMap(({ nodes }) => nodes.map(({ id }) => id));
  expect(new Set([first, second, ...ids]).size).toBe(6);
  expect(texts[0]?.length).toBe(json.length);
});

test.each([[[]], [[first]], [[first, second]]])('the quoted form matches the plain one, with ids %j', (ids) => {
  const { json: plain, quoted } = told(templateOf(json, ids));
  expect(JSON.parse(`"${quoted}"`)).toBe(plain);
});
