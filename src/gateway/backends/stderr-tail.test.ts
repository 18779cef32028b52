import { expect, test } from 'vitest';
import { createStderrTail } from './stderr-tail.ts';

const redact = (text: string) => text.replaceAll('hunter2-secret', '***');

test('gives whole lines, from pieces of any size', () => {
  const tail = createStderrTail(redact);
  for (const piece of ['star', 'ting\r\n\n', 'ready', '\n']) tail.add(piece);
  expect(tail.lines()).toEqual(['starting', 'ready']);
});

test('keeps the end, and begins with a whole line', () => {
  const tail = createStderrTail(redact);
  for (let index = 0; index < 10_000; index++) tail.add(`line ${index}\n`);
  const lines = tail.lines();
  expect(lines).toHaveLength(200);
  expect(lines.at(-1)).toBe('line 9999');
  expect(lines[0]).toBe('line 9800');
});

test('cuts a line that is too long', () => {
  const tail = createStderrTail(redact);
  tail.add(`${'x'.repeat(5000)}\n`);
  expect(tail.lines()[0]).toHaveLength(2001);
});

test('removes what terminals obey, and secrets, also if control characters stand inside them or at the cut', () => {
  const tail = createStderrTail(redact);
  tail.add('\x1b[31mred\x1b[0m \x07bell \u202eflip hun\x1b[1mter2-secret <script>alert(1)</script>\n');
  expect(tail.lines()).toEqual(['red  bell  flip *** <script>alert(1)</script>']);
  const cut = createStderrTail(redact);
  cut.add(`hunter2-secret ${'y'.repeat(32 * 1024 - 8)}\n`);
  expect(cut.lines().join('\n')).not.toContain('secret');
});
