import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { rulesFile, withRules } from '../../scripts/rule-reference.ts';

it('docs/validation.md matches the rules; `npm run docs` updates it', async () => {
  const page = await readFile(rulesFile, 'utf8');
  expect(page).toBe(withRules(page));
});
