import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { rulesFile, withRules } from '../../scripts/rule-reference.ts';

it('docs/validation.md has every rule as it is; `npm run docs` brings it up to date', async () => {
  const page = await readFile(rulesFile, 'utf8');
  expect(page).toBe(withRules(page));
});
