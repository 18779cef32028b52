import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { referenceFile, toolReference } from '../../scripts/tool-reference.ts';

it('docs/tools.md is what the tools say of themselves; `npm run docs` brings it up to date', async () => {
  expect(await readFile(referenceFile, 'utf8')).toBe(await toolReference());
});
