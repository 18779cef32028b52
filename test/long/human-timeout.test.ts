/** Nobody answers: n8n checks for timeouts once a minute, which is too long for the everyday tests. */
import { describe, expect, test } from 'vitest';
import { specFor } from '../../src/nodes/curated/registry.ts';
import type { Node } from '../../src/n8n/client/shapes.ts';
import type { Fragment } from '../../src/nodes/fragments/fragment.ts';
import { testCatalogue } from '../support/catalogue.ts';
import { openAsking } from '../integration/nodes/asking.ts';

const limited: Record<string, (node: Node) => Node> = {
  TELEGRAM_INTERACTION: (node) => {
    if (node.type !== 'n8n-nodes-base.telegram') return node;
    const limitWaitTime = { values: { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' } };
    return { ...node, parameters: { ...node.parameters, options: { limitWaitTime } } };
  },
  MANUAL_REVIEW: (node) =>
    node.name === 'Review'
      ? { ...node, parameters: { ...node.parameters, resumeAmount: 1, resumeUnit: 'seconds' } }
      : node,
};

describe('a person who does not answer', () => {
  test('leads to the branch timeout, by Telegram and by the form', async () => {
    await using asking = await openAsking();
    const runs = await Promise.all(
      Object.entries(limited).map(async ([subtype, change]) => {
        const fragment = specFor('HUMAN_IN_THE_LOOP', subtype)?.fragment(testCatalogue()) as Fragment;
        const ask = await asking.start(subtype, fragment, (node) => change(asking.credited(node)));
        return asking.waiting(await ask({ chat_id: '7', order: 9 }));
      }),
    );
    for (const run of runs) {
      expect(await asking.branches(run, 150_000)).toEqual({
        3: [expect.objectContaining({ order: 9, verdict: 'timeout', answer: '', responded_at: null })],
      });
    }
  });
});
