import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Comparable } from './diff.ts';
import { shownDiff } from './shown-diff.ts';

/** Each node leads to as many others. */
function workflow(nodes: number, links: number, shift: number): Comparable {
  const name = (at: number) => `Node ${at % nodes}`;
  return {
    nodes: Array.from({ length: nodes }, (_, at) => ({
      id: `n${at}`,
      name: name(at),
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      position: [at, 0],
      parameters: { at },
    })),
    connections: Object.fromEntries(
      Array.from({ length: nodes }, (_, at) => [
        name(at),
        {
          main: [
            Array.from({ length: links / nodes }, (_link, n) => ({
              node: name(at + n + shift),
              type: 'main',
              index: 0,
            })),
          ],
        },
      ]),
    ),
  };
}

test('others get their turn while a large workflow is compared', async () => {
  const done = new AbortController();
  const counting = (async () => {
    let turns = 0;
    for (; !done.signal.aborted; turns++) await turn();
    return turns;
  })();
  const comparing = shownDiff(workflow(1000, 10_000, 1), workflow(1000, 10_000, 2));
  const { changes } = await comparing.finally(() => done.abort());
  expect(changes.length).toBe(2000);
  expect(changes).toContain('+ connection Node 0 -> Node 11');
  expect(changes).toContain('- connection Node 0 -> Node 1');
  // At once, there would be a single one.
  expect(await counting).toBeGreaterThan(5);
});

test('a workflow with more connections than anybody can look at is refused, with what to do instead', async () => {
  const large = workflow(202, 202_000, 1);
  await expect(shownDiff(large, large)).rejects.toThrow(
    'This workflow has 202000 connections, and up to 20000 are shown side by side. n8n_diff_versions lists what changed.',
  );
});
