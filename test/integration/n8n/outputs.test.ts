import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kernel/source.ts';
import type { Connections, Node } from '../../../src/n8n/client/shapes.ts';
import { executionTools } from '../../../src/n8n/executions/tools.ts';
import { runningTools } from '../../../src/n8n/running/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, make, node, set } from '../../support/workflows.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

interface Ran {
  execution: string;
  status: string;
  last_node?: string;
  items?: number;
  output?: string;
  outputs?: Record<string, number>;
  data?: unknown[];
  note?: string;
  error?: Json;
}

interface Shown {
  name: string;
  total: number;
  output?: string;
  outputs?: Record<string, number>;
  from?: string;
  items: unknown[];
}

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

/** A node that outputs this many items: { n: 1 }, { n: 2 }, … */
const several = (count: number): Node =>
  node('Items', 'code', 2, {
    jsCode: `return Array.from({ length: ${count} }, (_, i) => ({ json: { n: i + 1 } }));`,
  });

/** The condition "n is greater than this". */
const above = (limit: number, of = '={{ $json.n }}') => ({
  conditions: {
    options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
    conditions: [
      {
        id: crypto.randomUUID(),
        leftValue: of,
        rightValue: limit,
        operator: { type: 'number', operation: 'gt' },
      },
    ],
    combinator: 'and',
  },
});

const filter = (limit: number, more: Partial<Node> = {}): Node =>
  node('Filter', 'filter', 2.2, { ...above(limit), options: {} }, more);
const iff = (limit: number): Node => node('If', 'if', 2.2, { ...above(limit), options: {} });

/** A node that fails for the first `failing` items, one by one. */
const halting = (failing: number, more: Partial<Node> = {}): Node =>
  node(
    'Risky',
    'code',
    2,
    {
      mode: 'runOnceForEachItem',
      jsCode: `if ($json.n <= ${failing}) throw new Error('n is too small');\nreturn { json: { ok: $json.n } };`,
    },
    { onError: 'continueErrorOutput', ...more },
  );

const to = (target: string, index = 0) => [{ node: target, type: 'main', index }];

describe.skipIf(missing)('which way items left a node', () => {
  let bench: Workbench;

  beforeAll(async () => {
    bench = await openWorkbench([...runningTools, ...executionTools]);
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  let made = 0;
  async function run(nodes: Node[], connections: Connections): Promise<Ran> {
    const { id } = await make(bench, `ways-${++made}`, { nodes, connections }, { publish: false });
    const ran = await bench.call<Ran>('n8n_execute_workflow', { id });
    expect(ran.error).toBeUndefined();
    return ran;
  }
  const begin = () => node('Go', 'manualTrigger', 1);
  const inLine = (...nodes: Node[]) => {
    const { nodes: all, connections } = line(begin(), ...nodes);
    return run(all, connections);
  };
  const nodesIn = async (execution: string) => {
    const { nodes } = await bench.call<{ nodes: Json[] }>('n8n_get_execution', { id: execution });
    return new Map(nodes.map(({ node: name, items, outputs }) => [name, { items, outputs }]));
  };
  const shown = async (execution: string, name: string, more: Json = {}) =>
    (await bench.call<{ node: Shown }>('n8n_get_execution', { id: execution, node: name, ...more })).node;

  test('a Filter that kept nothing has no output, and the node before it is the last', async () => {
    const ran = await inLine(several(3), filter(5));
    expect(ran).toMatchObject({ status: 'success', last_node: 'Items', items: 3 });
    expect(ran.note).toContain('"Filter" ran after it and had no output (3 discarded)');
    expect((await nodesIn(ran.execution)).get('Filter')).toEqual({
      items: 0,
      outputs: { '0 kept': 0, '1 discarded': 3 },
    });
    expect(await shown(ran.execution, 'Filter')).toMatchObject({ output: '0 kept', total: 0, items: [] });
    expect(await shown(ran.execution, 'Filter', { output: 1 })).toMatchObject({
      output: '1 discarded',
      outputs: { '0 kept': 0, '1 discarded': 3 },
      total: 3,
    });
  });

  test('a Filter that kept some items shows those', async () => {
    const ran = await inLine(several(3), filter(1));
    expect(ran).toMatchObject({
      last_node: 'Filter',
      items: 2,
      data: [{ n: 2 }, { n: 3 }],
      output: '0 kept',
      outputs: { '0 kept': 2, '1 discarded': 1 },
    });
    expect(ran.note).toBeUndefined();
  });

  test('an If separates true and false, in the digest and in the input of the next node', async () => {
    const none = await inLine(several(3), iff(5));
    expect(none).toMatchObject({ last_node: 'If', items: 3, output: '1 false' });
    const nodes = [begin(), several(3), iff(1), set('Yes', '{ yes: $json.n }'), set('No', '{ no: $json.n }')];
    const ran = await run(nodes, {
      Go: { main: [to('Items')] },
      Items: { main: [to('If')] },
      If: { main: [to('Yes'), to('No')] },
    });
    expect((await nodesIn(ran.execution)).get('If')).toEqual({ items: 3, outputs: { '0 true': 2, '1 false': 1 } });
    expect(await shown(ran.execution, 'If')).toMatchObject({ output: '0 true', total: 2, items: [{ n: 2 }, { n: 3 }] });
    expect(await shown(ran.execution, 'If', { output: 1 })).toMatchObject({ output: '1 false', items: [{ n: 1 }] });
    expect(await shown(ran.execution, 'No', { side: 'input' })).toMatchObject({
      from: 'If',
      output: '1 false',
      items: [{ n: 1 }],
    });
    await expect(shown(ran.execution, 'If', { output: 7 })).rejects.toThrow('0 true, 1 false');
  });

  test('a node with several inputs shows each of them', async () => {
    const nodes = [begin(), several(2), set('Other', '{ other: true }'), node('Merge', 'merge', 3.2, {})];
    const ran = await run(nodes, {
      Go: { main: [[...to('Items'), ...to('Other')]] },
      Items: { main: [to('Merge')] },
      Other: { main: [to('Merge', 1)] },
    });
    expect(ran).toMatchObject({ last_node: 'Merge', items: 3 });
    const inputs = { '0 Items': 2, '1 Other': 1 };
    const side = 'input';
    expect(await shown(ran.execution, 'Merge', { side })).toMatchObject({ from: 'Items', inputs, total: 2 });
    expect(await shown(ran.execution, 'Merge', { side, output: 1 })).toMatchObject({ from: 'Other', inputs, total: 1 });
    await expect(shown(ran.execution, 'Merge', { side, output: 2 })).rejects.toThrow('0 Items, 1 Other');
  });

  test('a Switch names its rules and its fallback', async () => {
    const rule = (outputKey: string, limit: number) => ({ ...above(limit), renameOutput: true, outputKey });
    const ran = await inLine(
      several(3),
      node('Switch', 'switch', 3.2, {
        rules: { values: [rule('Large', 2), rule('Medium', 1)] },
        options: { fallbackOutput: 'extra', renameFallbackOutput: 'Rest' },
      }),
    );
    expect(ran).toMatchObject({
      last_node: 'Switch',
      output: '0 Large',
      outputs: { '0 Large': 1, '1 Medium': 1, '2 Rest': 1 },
      data: [{ n: 3 }],
    });
  });

  test('a loop ends with its output "done" and the processed items', async () => {
    const loop = node('Loop', 'splitInBatches', 3, { batchSize: 1, options: {} });
    const connections = {
      Go: { main: [to('Items')] },
      Items: { main: [to('Loop')] },
      Loop: { main: [[], to('Work')] },
      Work: { main: [to('Loop')] },
    };
    const nodes = [begin(), several(3), loop, set('Work', '{ done: $json.n }')];
    const ran = await run(nodes, connections);
    expect(ran).toMatchObject({ last_node: 'Loop', output: '0 done', items: 3, data: [{ done: 1 }, {}, { done: 3 }] });
    expect((await nodesIn(ran.execution)).get('Loop')).toMatchObject({ outputs: { '0 done': 3, '1 loop': 3 } });
    const after = await run([...nodes, set('End', '{ end: $json.done }')], {
      ...connections,
      Loop: { main: [to('End'), to('Work')] },
    });
    expect(after).toMatchObject({ last_node: 'End', items: 3 });
    expect(await shown(after.execution, 'Loop', { run: 0 })).toMatchObject({ output: '1 loop', items: [{ n: 1 }] });
  });

  test('an error branch counts as the end only if no item took the normal branch', async () => {
    const connections = {
      Go: { main: [to('Items')] },
      Items: { main: [to('Risky')] },
      Risky: { main: [to('Fine'), to('Rescue')] },
    };
    const nodes = (failing: number) => [
      begin(),
      several(3),
      halting(failing),
      set('Fine', '{ fine: $json.ok }'),
      set('Rescue', '{ rescued: $json.n }'),
    ];
    const mixed = await run(nodes(1), connections);
    expect(mixed).toMatchObject({ last_node: 'Fine', items: 2 });
    expect((await nodesIn(mixed.execution)).get('Risky')).toEqual({
      items: 2,
      outputs: { '0': 2, '1 error': 1 },
    });
    const failed = await run(nodes(3), connections);
    expect(failed).toMatchObject({ last_node: 'Rescue', items: 3 });
    expect((await nodesIn(failed.execution)).get('Risky')).toMatchObject({ items: 0 });
    expect(await shown(failed.execution, 'Rescue', { side: 'input' })).toMatchObject({
      from: 'Risky',
      output: '1 error',
    });
    const unheard = await inLine(several(2), halting(2));
    expect(unheard).toMatchObject({ last_node: 'Risky', output: '1 error', items: 2 });
  });

  test('a Filter with an error output shows errors there, not discarded items', async () => {
    const ran = await inLine(several(3), filter(1, { onError: 'continueErrorOutput' }));
    expect(ran).toMatchObject({ last_node: 'Filter', items: 2, outputs: { '0 kept': 2, '1 error': 0 } });
  });

  test('a failure names the output that its input came from', async () => {
    const { id } = await make(
      bench,
      'ways-failing',
      {
        nodes: [
          hook(bench.name('ways-failing')),
          node('If', 'if', 2.2, { ...above(5, '={{ $json.body.n }}'), options: {} }),
          node('Break', 'code', 2, { jsCode: 'throw new Error("broken");' }),
        ],
        connections: { Hook: { main: [to('If')] }, If: { main: [[], to('Break')] } },
      },
      { publish: false },
    );
    const ran = await bench.call<Ran>('n8n_execute_workflow', { id, data: { n: 1 } });
    expect(ran.error).toMatchObject({ node: 'Break', from: 'If', from_output: '1 false' });
  });
});
