import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { GENERATED_TAG } from '../../../src/n8n/generated.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { agentWith, calculator, codeTool, openToolBench, textOf, type ToolBench } from '../../support/tool-bench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('bridged tools follow their workflow', () => {
  let bench: ToolBench;

  beforeAll(async () => {
    bench = await openToolBench();
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose](), 60_000);

  const named = (workflow: string, ...names: string[]) => names.map((name) => `${bench.slug(workflow)}__${name}`);
  const read = async (id: string) => JSON.stringify(await bench.n8n.client.workflows.get(id));

  test('nothing is written before bridge_apply, and bridge_cleanup removes everything', async () => {
    const source = await bench.agent('agreed', [calculator(), codeTool('shout', 'return query.text.toUpperCase()')]);
    const before = await read(source.id);
    await bench.refresh();
    expect(await bench.generated()).toEqual([]);
    const plan = await bench.own<{ workflows: { id: string; expose: string[] }[]; applied: boolean }>('bridge_plan');
    expect(plan).toMatchObject({ applied: false });
    expect(plan.workflows.find(({ id }) => id === source.id)?.expose.sort()).toEqual(
      named('agreed', 'Calculator', 'shout').sort(),
    );
    expect(await bench.generated()).toEqual([]);

    await bench.own('bridge_apply');
    await bench.until(bench.slug('agreed'), named('agreed', 'Calculator', 'shout'));
    expect(await bench.generated()).toHaveLength(1);

    await bench.own('bridge_cleanup');
    await bench.until(bench.slug('agreed'), []);
    expect(await bench.generated()).toEqual([]);
    const credentials = await Array.fromAsync(bench.n8n.client.credentials.all());
    expect(credentials.filter(({ name }) => name.includes(bench.owner))).toEqual([]);
    expect(await read(source.id)).toBe(before);

    // It does not come back by itself.
    await bench.put(source, agentWith([calculator()]));
    await bench.refresh();
    expect(await bench.generated()).toEqual([]);
    await bench.n8n.client.workflows.delete(source.id);
  });

  describe('after bridge_apply', () => {
    let source: Workflow;
    const shout = codeTool('shout', 'return query.text.toUpperCase()');

    beforeAll(async () => {
      source = await bench.agent('step', [calculator()]);
      await bench.own('bridge_apply');
      await bench.until(bench.slug('step'), named('step', 'Calculator'));
    }, 60_000);

    test('applying again writes nothing', async () => {
      const before = (await bench.generated()).map(({ id, versionId }) => [id, versionId]);
      await bench.own('bridge_apply');
      expect((await bench.generated()).map(({ id, versionId }) => [id, versionId])).toEqual(before);
    });

    test('a generated workflow that is missing in the store is recognised by its mark; a copy by a user is not', async () => {
      const [ours] = await bench.generated();
      const { name, nodes, connections } = ours as Workflow;
      const create = (of: Workflow['nodes']) =>
        bench.n8n.client.workflows.create({ name, nodes: of, connections, settings: {} });
      const unnoted = await create(nodes);
      const elsewhere = ({ notes = '' }: Workflow['nodes'][number]) =>
        String(notes).replace(`"${source.id}"`, '"gone"');
      const stray = await create(nodes.map((one) => ({ ...one, notes: elsewhere(one) })));
      // As n8n's editor duplicates a workflow: the nodes get new ids.
      const theirs = await create(nodes.map((one) => ({ ...one, id: crypto.randomUUID() })));
      await bench.own('bridge_apply');
      const left = (await Array.fromAsync(bench.n8n.client.workflows.all({ name }))).map(({ id }) => id);
      expect(new Set(left)).toEqual(new Set([ours?.id, theirs.id]));
      expect([unnoted.id, stray.id].some((id) => left.includes(id))).toBe(false);
      expect(textOf(await bench.call('step', 'Calculator', { input: '25*42' }))).toContain('1050');
      await bench.n8n.client.workflows.delete(theirs.id);
    });

    test('an added, changed or removed tool follows', async () => {
      await bench.put(source, agentWith([calculator(), shout]));
      await bench.refresh();
      await bench.until(bench.slug('step'), named('step', 'Calculator', 'shout'));
      expect(textOf(await bench.call('step', 'shout', { text: 'a' }))).toBe('A');
      const changed = { ...shout, parameters: { ...shout.parameters, jsCode: 'return query.text + "!"' } };
      await bench.put(source, agentWith([changed]));
      await bench.refresh();
      await bench.until(bench.slug('step'), named('step', 'shout'));
      expect(textOf(await bench.call('step', 'shout', { text: 'a' }))).toBe('a!');
    });

    test("renaming workflow and node keeps the tool's name", async () => {
      await bench.put(source, { ...agentWith([{ ...shout, name: 'whisper' }]), name: bench.name('other name') });
      await bench.refresh();
      await bench.until(bench.slug('step'), named('step', 'shout'));
      expect(textOf(await bench.call('step', 'shout', { text: 'a' }))).toBe('A');
    });

    test('a generated workflow deleted by hand fails the next call, and is restored', async () => {
      const [first] = await bench.generated();
      await bench.n8n.client.workflows.delete(first?.id as string);
      const answer = await bench.call('step', 'shout', { text: 'a' });
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toMatch(/404/);
      expect(await bench.listed(bench.slug('step'))).toEqual(named('step', 'shout'));
      await expect
        .poll(async () => textOf(await bench.call('step', 'shout', { text: 'a' })), { timeout: 40_000, interval: 200 })
        .toBe('A');
    }, 60_000);

    test('untagging removes the tool, and tagging again restores it under the same name', async () => {
      await bench.n8n.client.workflows.setTags(source.id, []);
      await bench.refresh();
      await bench.until(bench.slug('step'), []);
      expect(await bench.generated()).toEqual([]);
      await bench.n8n.client.workflows.setTags(source.id, [bench.tag.id]);
      await bench.refresh();
      await bench.until(bench.slug('step'), named('step', 'shout'));
    });

    test('a configured server with the same name gets the name, and the tools get another', async () => {
      const mcpServers = { [bench.slug('step')]: { command: 'true', enabled: false } };
      await bench.gateway.reload({ ...bench.config, mcpServers });
      await expect
        .poll(() => bench.listed(bench.slug('step').slice(0, 16)))
        .toEqual([expect.stringMatching(/-[0-9a-f]{6}__shout$/)]);
      await bench.gateway.reload(bench.config);
    });

    test('it disappears with its workflow, and our tag with the last one', async () => {
      await bench.n8n.client.workflows.delete(source.id);
      await bench.refresh();
      await bench.until(bench.slug('step'), []);
      expect(await bench.generated()).toEqual([]);
      await bench.own('bridge_cleanup');
      const left = (await Array.fromAsync(bench.n8n.client.workflows.all({ tags: [GENERATED_TAG] }))).length;
      const tags = (await Array.fromAsync(bench.n8n.client.tags.all())).filter(({ name }) => name === GENERATED_TAG);
      expect(tags.length).toBe(left === 0 ? 0 : 1);
    });
  });
});
