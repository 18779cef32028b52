import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Rule } from '../rule.ts';
import { rules } from './index.ts';

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && basename(file) !== 'index.ts',
);

test.each(files)('%s exports one rule, named like the file, and nothing else', async (file) => {
  const exported = Object.values((await import(join(import.meta.dirname, file))) as Record<string, Rule>);
  expect(exported.map(({ group, id }) => join(group, `${id}.ts`))).toEqual([file]);
});

test('every rule is listed once', () => {
  expect(rules.map(({ group, id }) => join(group, `${id}.ts`)).toSorted()).toEqual(files.toSorted());
});
