import { expect, test } from 'vitest';
import type { TemplateSummary } from '../template.ts';
import { wordIndex } from './words.ts';

const template = (id: string, name: unknown) => [id, { id, name, nodes: [] } as unknown as TemplateSummary] as const;

test('after templates that could not be taken, others can be found', async () => {
  using words = wordIndex();
  await expect(words.update(new Map([template('a', 'Reminder'), template('b', undefined)]))).rejects.toThrow(TypeError);
  await words.update(new Map([template('a', 'Reminder'), template('b', 'Weather')]));
  expect([words.find('weather', 5), words.find('reminder', 5)]).toEqual([['b'], ['a']]);
});
