import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileDiff } from './files-in.ts';
import { type DiffPlace, fittedDiff } from './fitted.ts';

const file = (path: string, lines: readonly string[]): FileDiff => ({ path, status: 'modified', lines });

/** All answers, one after the other. */
function pages(files: readonly FileDiff[]) {
  const all: ReturnType<typeof fittedDiff>[] = [];
  let place: DiffPlace | undefined = { file: 0, line: 0 };
  while (place) {
    const page = fittedDiff(files, place, { cursor: 'x'.repeat(80) });
    all.push(page);
    place = page.next;
  }
  return all;
}

describe('fittedDiff', () => {
  test('shows a small diff whole', () => {
    const small = [file('a', ['@@ -1 +1 @@', '-1', '+2']), file('b', ['@@ -1 +1 @@', '-3', '+4'])];
    expect(pages(small)).toEqual([
      {
        shown: [
          { path: 'a', status: 'modified', diff: '@@ -1 +1 @@\n-1\n+2' },
          { path: 'b', status: 'modified', diff: '@@ -1 +1 @@\n-3\n+4' },
        ],
      },
    ]);
  });

  test('goes on within a long file', () => {
    const long = file(
      'long.ts',
      Array.from({ length: 300 }, (_, n) => `+const line${n} = "${n}";`),
    );
    const all = pages([long]);
    expect(all.length).toBeGreaterThan(2);
    expect(all[0]?.shown[0]).toMatchObject({ lines_left: expect.any(Number) });
    expect(all[1]?.shown[0]).toMatchObject({ from_line: expect.any(Number) });
    expect(all.flatMap(({ shown }) => shown.map(({ diff }) => diff)).join('\n')).toBe(long.lines.join('\n'));
  });

  test('shortens a line of minified code, and says so', () => {
    const [page] = pages([file('min.js', [`+${'x'.repeat(1_000_000)}`])]);
    expect(page?.shown[0]?.diff).toMatch(/…\s\(1000001 characters\)$/);
  });

  test('loses no line and stays small, whatever the files are', () => {
    const lines = fc.array(fc.string({ maxLength: 400, unit: 'grapheme' }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(lines, { minLength: 1, maxLength: 6 }), (all) => {
        const files = all.map((one, n) => file(`f${n}`, one));
        const shown = pages(files).map((page) => page.shown);
        for (const one of shown) {
          const json = JSON.stringify({ files: one });
          expect(Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json))).toBeLessThan(8 * 1024);
        }
        const parts = shown.flat();
        expect(files.map(({ path }) => parts.filter((one) => one.path === path).map(({ diff }) => diff))).toEqual(
          files.map(({ path, lines: whole }) => {
            const cut = parts.filter((one) => one.path === path).map(({ from_line = 1 }) => from_line - 1);
            return cut.map((from, n) => whole.slice(from, cut[n + 1] ?? whole.length).join('\n'));
          }),
        );
      }),
      { numRuns: 30 },
    );
  });
});
