import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readDefinition } from '../../../src/blueprints/definition/read.ts';
import { createEvaluator } from '../../../src/blueprints/expressions/evaluator.ts';
import { blueprintSettings } from '../../../src/blueprints/settings.ts';

const page = readFileSync(fileURLToPath(new URL('../../../docs/blueprints.md', import.meta.url)), 'utf8');
const definitions = [...page.matchAll(/^```yml\n(name: .*?)^```$/gms)].map(([, text = '']) => text);

test('every blueprint of the page can be read', () => {
  expect(definitions.length).toBeGreaterThan(2);
  expect(definitions.map((text) => readDefinition(text).findings)).toEqual(definitions.map(() => []));
});

test('every expression of the page gives what it says', async () => {
  await using evaluator = createEvaluator();
  const scope = {
    inputs: { count: 2, team: 'blue', hosts: ['a', 'b'], name: 'Größe XL' },
    steps: {
      find: { result: { id: 1 } },
      list: {
        result: {
          items: [
            { id: 'x', live: true },
            { id: 'y', live: false },
          ],
        },
      },
    },
  };
  const table = page.slice(page.indexOf('| expression | gives |'));
  const rows = [...table.slice(0, table.indexOf('\n\n')).matchAll(/^\| `(\$\{.+?\})` \|/gm)].map(([, text]) => text);
  expect(await evaluator.fill(rows, scope)).toEqual([
    3,
    true,
    'none',
    ['https://a', 'https://b'],
    ['x'],
    'größe-xl',
    'groesse-xl',
    '{"id":1}',
    '"blue"',
  ]);
});

test('the page has every key of the configuration with its default', () => {
  const { blueprints } = blueprintSettings;
  const defaults = blueprints.parse(undefined);
  for (const key of [...Object.keys(defaults || {}), 'vault']) expect(page).toContain(`| \`blueprints.${key}\` |`);
});
