import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { catalogueIsMissing, n8nModules, testCatalogue } from '../../support/catalogue.ts';
import { corpus } from '../../validation/corpus.ts';
import { value, withValue } from '../../validation/expression-flow.ts';
import { random } from '../../validation/random.ts';

const ours = new Set(['expression-syntax', 'expression-empty', 'expression-unclosed']);

/** Random combinations of these give expressions that parse and expressions that do not. */
const words = [
  '{{',
  '}}',
  ' ',
  '$json',
  '.a',
  '["b"]',
  "$('Fetch')",
  '.item',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '+',
  '?',
  ':',
  ',',
  '1',
  '"x"',
  "'",
  '`',
  '${',
  '=>',
  'a',
  '\n',
  ' && ',
  '??',
  '?.',
  '/* c */',
  '// c\n',
  '\\',
  'typeof ',
  'new Date()',
  '!',
  ';',
] as const;

describe.skipIf(catalogueIsMissing)("n8n's own expression parser", () => {
  const load = createRequire(join(n8nModules, 'n8n-workflow', 'package.json'));
  const { Tournament } = load('@n8n/tournament') as {
    Tournament: new () => { getExpressionCode(text: string): readonly [string, unknown] };
  };
  const tournament = new Tournament();

  function isReadByN8n(text: string): boolean {
    try {
      const [code] = tournament.getExpressionCode(text);
      // Compiled as in n8n, and never called.
      // oxlint-disable-next-line typescript/no-implied-eval
      return typeof new Function(code) === 'function';
    } catch {
      return false;
    }
  }

  function errorsOf(text: string): string[] {
    const { findings } = validateWorkflow(withValue(`=${text}`), testCatalogue(), { only: ['expressions'] });
    return findings
      .filter(({ rule, severity, path }) => ours.has(rule) && severity === 'error' && path === value)
      .map(({ rule }) => rule);
  }

  it('agrees with ours on two thousand random expressions', () => {
    const chance = random(7);
    const differing: string[] = [];
    let good = 0;
    for (let count = 0; count < 2000; count++) {
      const inside = Array.from({ length: 1 + chance.below(7) }, () => chance.pick(words)).join('');
      const text = chance.chance(0.3) ? `a ${inside} {{ $json.b }}` : `{{ ${inside} }}`;
      const errors = errorsOf(text);
      const isRead = isReadByN8n(text);
      if (isRead) good++;
      // n8n forgives a missing end only by luck.
      if (errors.every((rule) => rule === 'expression-unclosed') && errors.length > 0) continue;
      if (isRead !== (errors.length === 0))
        differing.push(`${JSON.stringify(text)}: n8n ${isRead ? 'reads' : 'refuses'} it`);
    }
    expect(differing).toEqual([]);
    expect(good).toBeGreaterThan(200);
  });

  it('parses every expression of the valid workflows', async () => {
    const texts = (await corpus())
      .flatMap(({ cases }) => cases)
      .filter(({ expected }) => expected.length === 0)
      .flatMap(({ workflow }) => [...JSON.stringify(workflow).matchAll(/"=((?:[^"\\]|\\.)*)"/g)])
      .map(([, text]) => JSON.parse(`"${text}"`) as string);
    const refused = texts.filter((text) => text.includes('{{') && !text.includes('1 + }}') && !isReadByN8n(text));
    expect(refused).toEqual([]);
    expect(texts.length).toBeGreaterThan(50);
  });
});
