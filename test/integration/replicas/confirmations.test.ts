import { describe, expect, test } from 'vitest';
import { startScripted } from '../../fixtures/scripted-server.ts';
import { call, errorOf } from '../../support/plain-calls.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { startReplicas } from '../../support/two-replicas.ts';
import { send } from '../harness.ts';

const SOON = { interval: 20, timeout: 10_000 };

interface Item {
  readonly part: string;
  readonly id: string;
  readonly title: string;
}

async function waitingAt({ url }: { url: string }): Promise<Item[]> {
  return ((await send(`${url}/api/v1/waiting`)).messages[0] as { items: Item[] }).items;
}

async function decide({ url }: { url: string }, [item]: readonly Item[], body: object): Promise<number> {
  // As from the console's own page: no program approves what needs a person.
  const headers = { 'sec-fetch-site': 'same-origin' };
  const { status } = await send(`${url}/api/v1/waiting/${item?.part}/${item?.id}`, { headers, body });
  return status;
}

describe.skipIf(postgresIsMissing)('a call that one replica did not make', () => {
  test.each(['easy', 'strict'])('waits on the other, which decides about it (%s)', async (name) => {
    await using server = await startScripted('modern', {
      'tools/list': () => ({ tools: [{ name: 'wipe', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ resultType: 'complete', content: [{ type: 'text', text: 'wiped' }] }),
    });
    await using replicas = await startReplicas({
      mcpServers: { easy: { ...server.entry, confirm: ['wipe'] }, strict: { ...server.entry, confirm: 'human' } },
    });
    const { a, b } = replicas;
    const tool = `${name}__wipe`;

    const refused = errorOf(await call(a.url, tool, { id: 1 }))?.confirm;
    await expect
      .poll(() => waitingAt(b), SOON)
      .toMatchObject([{ part: 'confirmations', title: expect.any(String) as string }]);
    const items = await waitingAt(b);
    expect(await decide(b, items, { approve: false, note: 'no' })).toBe(200);
    expect(await decide(a, items, { approve: true })).toBe(404);
    const { content } = await call(a.url, tool, { id: 1, confirm: refused });
    expect(content).toEqual([{ type: 'text', text: `A person refused ${tool}: no. Nothing was done.` }]);

    const approved = errorOf(await call(a.url, tool, { id: 2 }))?.confirm;
    await expect.poll(() => waitingAt(b), SOON).toHaveLength(1);
    expect(await decide(b, await waitingAt(b), { approve: true })).toBe(200);
    const answers = await Promise.all([a, b, a].map(({ url }) => call(url, tool, { id: 2, confirm: approved })));
    expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(1);
    // The others were asked to have it approved again.
    await expect.poll(() => waitingAt(a), SOON).toHaveLength(1);
    expect(await replicas.count('gateway.confirmation_decided')).toBe(2);
  });
});
