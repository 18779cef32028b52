import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GENERATED_PREFIX, markOf } from '../../src/n8n/generated.ts';
import { agentWith, calculator, codeTool, openToolBench, textOf, type ToolBench } from '../support/tool-bench.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';

const CHANGES = 100;
/** How many changes come between two polls. */
const AT_ONCE = 4;

describe.skipIf(process.env.N8N_TEST_URL === undefined && n8nIsMissing)('a bridge over many changes', () => {
  let bench: ToolBench;

  beforeAll(async () => {
    bench = await openToolBench();
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose](), 60_000);

  const read = async (id: string) => JSON.stringify(await bench.n8n.client.workflows.get(id));

  test("the user's workflows stay as the user left them, and nothing of ours remains", async () => {
    const busy = await bench.agent('busy', [calculator()]);
    const idle = await bench.agent('idle', [calculator(), codeTool('shout', 'return query.text.toUpperCase()')]);
    const apart = await bench.agent('apart', [calculator()], { chosen: false });
    const untouched = [await read(idle.id), await read(apart.id)];
    await bench.own('bridge_apply');
    const slug = bench.slug('busy');
    for (let change = 1; change <= CHANGES; change++) {
      const extra = Array.from({ length: change % 5 }, (_, index) =>
        codeTool(`extra ${index}`, `return "${change}"`, {}),
      );
      await bench.put(busy, agentWith([calculator(), ...extra]));
      const left = await read(busy.id);
      if (change % AT_ONCE !== 0) continue;
      await bench.refresh();
      await bench.until(
        slug,
        ['Calculator', ...extra.map((_, index) => `extra_${index}`)].map((name) => `${slug}__${name}`),
      );
      if (extra.length > 0) expect(textOf(await bench.call('busy', 'extra_0'))).toBe(String(change));
      expect(await read(busy.id)).toBe(left);
    }
    expect([await read(idle.id), await read(apart.id)]).toEqual(untouched);
    const before = await read(busy.id);
    await bench.own('bridge_cleanup');
    expect([await read(idle.id), await read(apart.id)]).toEqual(untouched);
    expect(await read(busy.id)).toBe(before);
    const left = (await Array.fromAsync(bench.n8n.client.workflows.all({ name: GENERATED_PREFIX }))).filter(
      (workflow) => markOf(workflow)?.owner === bench.owner,
    );
    expect(left).toEqual([]);
    const credentials = await Array.fromAsync(bench.n8n.client.credentials.all());
    expect(credentials.filter(({ name }) => name.includes(bench.owner))).toEqual([]);
  }, 900_000);
});
