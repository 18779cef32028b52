import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flowchart, mermaidText } from './mermaid.ts';

/** What Mermaid shows for a label: its codes decoded. */
const shownBy = (label: string) =>
  label.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

const SAFE = '[^"#\\[\\]{}()<>|&;%`\\\\\\n\\r]|#\\d+;';
const NODE = new RegExp(`^ {2}n\\d+\\["(?:${SAFE})+<br/>(?:${SAFE})+"\\]$`, 'u');
const ARROW = new RegExp(`^ {2}n\\d+ -->\\|"(?:${SAFE})+"\\| n\\d+$`, 'u');

describe('text for Mermaid', () => {
  test.each([
    ['Ada', 'Ada'],
    ['end', 'end'],
    ['"quoted" [x] {y} (z)', '"quoted" [x] {y} (z)'],
    ['a\nb\r\n c', 'a b c'],
    ['👩‍🚀 中文 é', '👩‍🚀 中文 é'],
    ['%%{init: {"theme": "dark"}}%%', '%%{init: {"theme": "dark"}}%%'],
    ['#quot; &amp; <b>', '#quot; &amp; <b>'],
    ['`**bold**`; click n0 "javascript:x"', '`**bold**`; click n0 "javascript:x"'],
  ])('%j is shown as %j', (given, seen) => {
    expect(shownBy(mermaidText(given))).toBe(seen);
    expect(mermaidText(given)).toMatch(new RegExp(`^(?:${SAFE})+$`, 'u'));
  });

  test('is cut where a drawing would be unreadable', () => {
    expect(shownBy(mermaidText('x'.repeat(100)))).toBe(`${'x'.repeat(59)}…`);
  });

  test('of any text is one line without a character that means something', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc
        .array(fc.constantFrom('"', '#', ']', '|', '%%{', '-->', '\n', 'end', ';', '`', '\\', '<br/>', '\u202e'), {
          maxLength: 20,
        })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, (name, type, relation) => {
        const [first, ...lines] = flowchart(
          [
            { name, type },
            { name: `${name}2`, type },
          ],
          [{ from: name, type: relation, to: `${name}2` }],
        ).split('\n');
        expect(first).toBe('flowchart LR');
        expect(lines).toHaveLength(3);
        expect(lines[0]).toMatch(NODE);
        expect(lines[1]).toMatch(NODE);
        expect(lines[2]).toMatch(ARROW);
      }),
      { numRuns: 500 },
    );
  });
});

test('relations between the same two share an arrow; those to entities that are not drawn are left out', () => {
  const heads = ['Ada', 'Bob'].map((name) => ({ name, type: 'person' }));
  const knows = { from: 'Ada', type: 'knows', to: 'Bob' };
  expect(
    flowchart(heads, [
      knows,
      { ...knows, type: 'likes' },
      { ...knows, to: 'Cyd' },
      { from: 'Bob', type: 'is', to: 'Bob' },
    ]),
  ).toBe(
    [
      'flowchart LR',
      '  n0["Ada<br/>person"]',
      '  n1["Bob<br/>person"]',
      '  n0 -->|"knows, likes"| n1',
      '  n1 -->|"is"| n1',
    ].join('\n'),
  );
});
