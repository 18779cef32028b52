import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitted, scanned } from './scan.ts';

/** A server that returns batches of odd sizes, whatever count it is asked for, and counts the steps. */
function server(batches: readonly (readonly string[])[]) {
  let steps = 0;
  return {
    steps: () => steps,
    step: (cursor: string) => {
      steps += 1;
      const at = Number(cursor);
      return Promise.resolve({ next: String(at + 1 < batches.length ? at + 1 : 0), found: batches[at] ?? [] });
    },
  };
}

const options = { first: 10, mostMs: 10_000, identity: (item: string) => item, bytes: (item: string) => item.length };

describe('scanning', () => {
  test('pages of any size show everything once', async () => {
    const someBatches = fc.array(fc.array(fc.nat(1e6).map(String), { maxLength: 20 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        someBatches,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 5 }),
        async (batches, limit, fits) => {
          const seen: string[] = [];
          let from: string | undefined;
          let pages = 0;
          do {
            const found = await scanned({ ...options, ...server(batches), from, limit });
            const { views, cursor } = fitted(
              found,
              (item) => item,
              () => fits,
            );
            seen.push(...views);
            from = cursor;
            pages += 1;
          } while (from !== undefined && pages < 1000);
          expect(pages).toBeLessThan(1000);
          expect([...new Set(seen)].sort()).toEqual([...new Set(batches.flat())].sort());
        },
      ),
    );
  });

  test('a scan that finds nothing ends after a while, with a cursor', async () => {
    const endless = { step: (cursor: string) => Promise.resolve({ next: String(Number(cursor) + 1), found: [] }) };
    const { found, cursor } = await scanned({ ...options, ...endless, from: undefined, limit: 10 });
    expect(found).toEqual([]);
    expect(Number(cursor)).toBe(200);
  });

  test('a scan ends when it has taken long enough', async () => {
    const slow = server(Array.from({ length: 50 }, () => []));
    const { cursor } = await scanned({ ...options, ...slow, mostMs: 0, from: '3', limit: 10 });
    expect(slow.steps()).toBe(0);
    expect(cursor).toBe('3');
  });

  test('huge items end it at once', async () => {
    const huge = 'x'.repeat(300_000);
    const { found, cursor } = await scanned({
      ...options,
      ...server([[huge, 'b'], ['c']]),
      from: undefined,
      limit: 10,
    });
    expect(found).toHaveLength(1);
    expect(cursor).toBe('0.10.1');
  });

  test.each(['', 'x', '-1', '1.2', '1.2.3.4', '18446744073709551616', '1.99999.1', '9'.repeat(30)])(
    'the cursor %j is refused',
    async (from) => {
      const scan = scanned({ ...options, ...server([['a']]), from, limit: 1 });
      await expect(scan).rejects.toThrow('not a cursor');
    },
  );
});
