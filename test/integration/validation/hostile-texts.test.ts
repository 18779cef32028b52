import { describe, expect, it } from 'vitest';
import { validateWorkflow } from '../../../src/validation/validate.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { flow, node } from '../../validation/case.ts';
import { cpuTime } from '../../validation/cpu-time.ts';

/** Just short enough to be checked, and hard for rules that scan text repeatedly. */
const texts: readonly (readonly [string, string])[] = [
  ['brackets', `={{ ${'('.repeat(49_000)} }}`],
  ['a long sum', `={{ 1${' + 1'.repeat(12_000)} }}`],
  ['many small expressions', `=${'{{ $json.a + 1 }}'.repeat(2900)}`],
  ['many references', `={{ ${"$('A').item.json.b + ".repeat(2000)}1 }}`],
  ['functions in functions', `={{ ${'(() => '.repeat(3000)}$('A').item${')'.repeat(3000)} }}`],
  ['spaces before the end', `={{ $json.length${' '.repeat(48_000)}x`],
  ['text like many web tokens', 'eyJ-'.repeat(49_000)],
  ['text like many URLs', `${'a.'.repeat(90_000)}://`],
  ['text like many passwords', 'token = '.repeat(24_000)],
  ['text like many keys', 'sk-xxxx '.repeat(24_000)],
  ['empty lines', `${'\n'.repeat(190_000)}def`],
  ['colons', 'x:'.repeat(90_000)],
];

describe.skipIf(catalogueIsMissing)('hostile text', () => {
  it.each(texts)('is checked quickly: %s', (_, text) => {
    const workflow = flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Set', 'set', 3.4, {
          assignments: { assignments: [{ id: 'a', name: 'token', value: text, type: 'string' }] },
          options: {},
        }),
        node('Code', 'code', 2, { jsCode: text }),
        node('Python', 'code', 2, { language: 'pythonNative', pythonCode: text }),
        node('Query', 'postgres', 2.6, { operation: 'executeQuery', query: text, options: {} }),
        node('Note', 'stickyNote', 1, { content: text }),
      ],
      ['Start -> Set', 'Set -> Code', 'Code -> Python', 'Python -> Query'],
    );
    const only = ['expressions', 'credentials', 'lint', 'suggestions'] as const;
    const { result, ms } = cpuTime(() => validateWorkflow(workflow, testCatalogue(), { only }));
    expect(result.findings.filter(({ rule }) => rule === 'internal-error')).toEqual([]);
    expect(JSON.stringify(result.findings).length).toBeLessThan(100_000);
    expect(ms).toBeLessThan(4000);
  });
});
