import { expect, test } from 'vitest';
import { line, prose, typesIn } from './text.ts';

test('a line has no breaks, no control characters, and at most so many characters', () => {
  expect(line('a\n b\t\u0000c\u202e \u001b[31mred', 100)).toBe('a b c red');
  expect(line('x'.repeat(1_000_000), 10)).toBe(`${'x'.repeat(9)}…`);
  // An emoji is kept whole or left out.
  expect(line('12345678😀90', 10)).toBe('12345678…');
});

test('markdown becomes prose', () => {
  expect(prose('## What it does\n\n**Sends** a [message](https://example.com/a) <br/> with `code`', 200)).toBe(
    'What it does Sends a message with code',
  );
});

test.each(['[', '<', '*', '![', '# ', '\u0300', '<a '])('texts of nothing but %j take no time', (part) => {
  const started = performance.now();
  prose(part.repeat(1_000_000), 2000);
  expect(performance.now() - started).toBeLessThan(200);
});

test('types are listed once, without sticky notes and without endless names', () => {
  expect(typesIn(['a.b', 'n8n-nodes-base.stickyNote', 'a.b', 'x'.repeat(300)])).toEqual(['a.b']);
});
