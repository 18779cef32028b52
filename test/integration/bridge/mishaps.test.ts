import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { markOf } from '../../../src/n8n/generated.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { reachN8n } from '../../support/workbench.ts';
import { agentWith, calculator, codeTool, openToolBench, textOf, type ToolBench } from '../../support/tool-bench.ts';
import { openWay, type Way } from './way-to-n8n.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('an n8n that goes away while the bridge writes to it', () => {
  let bench: ToolBench;
  let way: Way;
  const stack = new AsyncDisposableStack();

  beforeAll(async () => {
    const reached = await reachN8n();
    way = stack.use(await openWay(reached.url));
    bench = stack.use(await openToolBench({ reached: { ...reached, url: way.url } }));
    stack.defer(() => {
      way.rule = () => undefined;
    });
  }, N8N_START_MS);
  afterAll(() => stack.disposeAsync(), 60_000);

  const named = (workflow: string, ...names: string[]) => names.map((name) => `${bench.slug(workflow)}__${name}`);
  const toolsOfEndpoints = async () =>
    (await bench.generated()).map(({ nodes }) => nodes.filter(({ type }) => type.includes('.tool')).length);

  test('when apply ends, its tools can be called, however slow n8n is', async () => {
    await bench.agent('slowly', [calculator()]);
    way.rule = ({ path }) => (path.startsWith('/mcp/') ? { ms: 400 } : undefined);
    const { tools } = await bench.own<{ tools: string[] }>('bridge_apply');
    expect(tools).toContain(`${bench.slug('slowly')}__Calculator`);
    expect(textOf(await bench.call('slowly', 'Calculator', { input: '25*42' }))).toContain('1050');
    way.rule = () => undefined;
  }, 30_000);

  test('tools are not marked as broken if n8n goes away while it lists them', async () => {
    const source = await bench.agent('steady', [calculator(), codeTool('shout', 'return query.text.toUpperCase()')]);
    await bench.own('bridge_apply');
    await bench.until(bench.slug('steady'), named('steady', 'Calculator', 'shout'));
    const whisper = codeTool('whisper', 'return query.text.toLowerCase()');
    const { nodes } = await bench.n8n.client.workflows.get(source.id);
    const tools = nodes.filter(({ type }) => /tool/i.test(type));
    await bench.put(source, agentWith([...tools, whisper]));
    // n8n publishes the endpoint, and cuts every later request to it.
    way.rule = ({ path }) => (path.startsWith('/mcp/') ? 'cut' : undefined);
    await expect(bench.refresh()).rejects.toThrow(/cannot be reached/);
    expect(await bench.listed(bench.slug('steady'))).toEqual(named('steady', 'Calculator', 'shout'));
    way.rule = () => undefined;
    await bench.own('bridge_apply');
    await bench.until(bench.slug('steady'), named('steady', 'Calculator', 'shout', 'whisper'));
    // No tool got its own endpoint for a failure that was not its own.
    expect((await toolsOfEndpoints()).sort((a, b) => a - b)).toEqual([1, 3]);
  }, 60_000);

  const leftovers = async () => [
    ...(await bench.generated()).map(({ name }) => name),
    ...(await Array.fromAsync(bench.n8n.client.credentials.all())).flatMap(({ name }) =>
      name.includes(bench.owner) ? [name] : [],
    ),
  ];
  /** Loses one answer: n8n executes the request, but the connection breaks. */
  const loseOne = (method: string, path: RegExp) => {
    let lost = false;
    way.rule = (asked) => {
      if (lost || asked.method !== method || !path.test(asked.path)) return undefined;
      lost = true;
      return 'lost';
    };
  };

  test.each([
    ['the workflow was created', 'POST', /\/workflows$/, true],
    ['the credential was created', 'POST', /\/credentials$/, true],
    ['it was tagged', 'PUT', /\/tags$/, true],
    ['it was published', 'POST', /\/publish$/, false],
  ])(
    'if the answer is lost that %s, nothing is created twice or left behind',
    async (_, method, path, fails) => {
      await bench.own('bridge_cleanup');
      loseOne(method, path);
      const applied = bench.own('bridge_apply').then(
        () => 'done',
        (error: Error) => error.message,
      );
      expect(await applied).toMatch(fails ? /cannot be reached/ : /done/);
      await bench.own('bridge_apply');
      await bench.until(bench.slug('slowly'), named('slowly', 'Calculator'));
      expect((await toolsOfEndpoints()).sort((a, b) => a - b)).toEqual([1, 3]);
      loseOne('DELETE', /./);
      await bench.own('bridge_cleanup');
      expect(await leftovers()).toEqual([]);
    },
    60_000,
  );

  test('a gateway that is stopped meanwhile does not wait for an n8n that hangs', async () => {
    await using own = await openToolBench({ reached: { ...(await reachN8n()), url: way.url } });
    await own.agent('halted', [calculator()]);
    let hangs = false;
    way.rule = ({ method, path }) => {
      hangs ||= method === 'POST' && path.endsWith('/publish');
      return hangs ? { ms: 20_000 } : undefined;
    };
    const applying = own.own('bridge_apply', {}, { timeout: 30_000 }).catch(String);
    await vi.waitFor(() => expect(hangs).toBe(true), { timeout: 15_000, interval: 20 });
    const began = Date.now();
    await own.gateway[Symbol.asyncDispose]();
    expect(Date.now() - began).toBeLessThan(10_000);
    way.rule = () => undefined;
    expect(await applying).toMatch(/Error/);
  }, 60_000);

  test('of apply and remove at the same time, the last one wins completely', async () => {
    const last: string[] = [];
    for (const order of [
      ['bridge_cleanup', 'bridge_apply'],
      ['bridge_apply', 'bridge_cleanup'],
    ] as const) {
      await bench.own('bridge_apply');
      const both = order.map((tool) => bench.own(tool).then(() => last.push(tool)));
      await Promise.all(both);
      const there = (await bench.generated()).length;
      const listed = await bench.listed(bench.slug('slowly'));
      // Everything or nothing, not half.
      expect([there > 0, listed.length > 0]).toEqual(last.at(-1) === 'bridge_apply' ? [true, true] : [false, false]);
      const all = await Array.fromAsync(bench.n8n.client.workflows.all());
      const marks = all.flatMap((one) => (markOf(one)?.owner === bench.owner ? [markOf(one)?.source] : []));
      expect(new Set(marks).size).toBe(marks.length);
    }
  }, 60_000);
});
