import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LogLine, lineOf, linesOf } from './log-lines.ts';

async function all(chunks: readonly Uint8Array[]): Promise<LogLine[]> {
  async function* given() {
    yield* chunks;
  }
  return await Array.fromAsync(linesOf(given()));
}

const text = (raw: string) => lineOf(raw, 1).text;

describe('lineOf', () => {
  test.each([
    ['\ufeff2026-11-16T10:00:00.1234567Z Current runner version', 'Current runner version'],
    ['2026-11-16T10:00:00.1234567Z ##[group]Run npm test', '> Run npm test'],
    ['2026-11-16T10:00:00.1234567Z ##[endgroup]', ''],
    [
      '2026-11-16T10:00:00.1234567Z ##[error]Process completed with exit code 1.',
      'error: Process completed with exit code 1.',
    ],
    ['2026-11-16T10:00:00.1234567Z ##[warning]Node 12 is old', 'warning: Node 12 is old'],
    ['2026-11-16T10:00:00.1234567Z [command]/usr/bin/git version', '[command]/usr/bin/git version'],
    ['2026-11-16T10:00:00Z \u001b[31;1mred\u001b[0m \u001b]0;title\u0007text', 'red text'],
    ['2026-11-16T10:00:00Z 10%\r 50%\r100%\r', '100%'],
    ['no timestamp', 'no timestamp'],
    ['', ''],
  ])('%j', (raw, clean) => {
    expect(text(raw)).toBe(clean);
  });

  test('knows when it was written and what kind it is', () => {
    expect(lineOf('2026-11-16T10:00:00.1234567Z ##[error]No', 7)).toEqual({
      number: 7,
      at: Date.parse('2026-11-16T10:00:00.123Z'),
      kind: 'error',
      text: 'error: No',
    });
    expect(lineOf('x', 1)).toEqual({ number: 1, at: undefined, kind: 'plain', text: 'x' });
  });

  test('cuts a long line', () => {
    expect(text('x'.repeat(5000))).toBe(`${'x'.repeat(400)}…`);
  });
});

describe('linesOf', () => {
  test('finds the same lines however the log arrives', async () => {
    const log = Buffer.from('eins\nzwei ü\r\n\ndrei 🚀\n');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: log.length })), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), log.length];
        const chunks = places.slice(1).map((end, n) => log.subarray(places[n], end));
        expect((await all(chunks)).map((line) => [line.number, line.text])).toEqual([
          [1, 'eins'],
          [2, 'zwei ü'],
          [3, ''],
          [4, 'drei 🚀'],
        ]);
      }),
    );
  });

  test('reads a last line without an end, and nothing from an empty log', async () => {
    expect((await all([Buffer.from('a\nb')])).map((line) => line.text)).toEqual(['a', 'b']);
    expect(await all([])).toEqual([]);
    expect(await all([Buffer.alloc(0)])).toEqual([]);
  });

  test('holds little of a line of megabytes', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const [line, ...others] = await all(Array.from({ length: 20 }, () => piece));
    expect(line?.text).toHaveLength(401);
    expect(others).toEqual([]);
  });
});
