import { expect, test } from 'vitest';
import { importedLines } from './imported-lines.ts';

test('prints the workflow, what is to fill in, and whatever else there is', () => {
  expect(
    importedLines({
      workflow: { id: 'a1', name: 'Weather\u001b[31m' },
      to_fill: ['Slack: slackApi', { node: 'Mail', type: 'smtp', fields: 2 }],
      raised_versions: [{ node: 'Set', from: 2, to: 3.4 }],
      sub_workflows: [],
      note: 'Two nodes are missing.\nInstall them.',
      validation: null,
    }),
  ).toEqual({
    id: 'a1',
    lines: [
      '"Weather" is a draft in n8n.',
      'To fill in:',
      '  Slack: slackApi',
      '  node Mail, type smtp, fields 2',
      'raised versions:',
      '  node Set, from 2, to 3.4',
      'note: Two nodes are missing.',
    ],
  });
});

test('an answer of another shape is printed, too', () => {
  expect(importedLines({ workflow: 'x', more: 'y'.repeat(1000) })).toEqual({
    lines: [`more: ${'y'.repeat(299)}…`],
  });
});

test('a dry run created no draft', () => {
  expect(importedLines({ workflow: { name: 'Weather' }, note: 'dry_run: nothing was imported.' })).toEqual({
    lines: ['note: dry_run: nothing was imported.'],
  });
});
