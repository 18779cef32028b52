/** What holds for tools that a start lists without loading their code. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listedFamilies, listedText } from '../../scripts/tool-listings.ts';
import { sameArguments } from '../../src/kernel/tool.ts';

describe.each([...listedFamilies])('src/%s', (folder, tools) => {
  test('has a listed.json that says what the code says; `npm run docs` updates it', async () => {
    const file = fileURLToPath(new URL(`../../src/${folder}/listed.json`, import.meta.url));
    expect(await readFile(file, 'utf8')).toBe(listedText(tools));
  });

  test('needs no code to know which tool is meant, and what a call of it may do', () => {
    const former = tools.flatMap(({ aliases = {} }) => Object.values(aliases));
    expect(former.filter((converts) => converts !== sameArguments)).toEqual([]);
    expect(tools.filter(({ effectOf }) => effectOf)).toEqual([]);
  });
});
