/** A real n8n accepts every fragment unchanged, and runs those that need no other service. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionTools } from '../../../src/n8n/executions/tools.ts';
import { runningTools } from '../../../src/n8n/running/tools.ts';
import type { Connections, Node } from '../../../src/n8n/client/shapes.ts';
import { curatedSpecs } from '../../../src/nodes/curated/registry.ts';
import type { Fragment } from '../../../src/nodes/fragments/fragment.ts';
import { fragmentFor } from '../../../src/nodes/fragments/fragment-for.ts';
import { nodeTypes } from '../../../src/nodes/taxonomy/taxonomy.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, make, node, set } from '../../support/workflows.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

const missing = catalogueIsMissing ?? (process.env.N8N_TEST_URL === undefined ? n8nIsMissing : undefined);

describe.skipIf(missing)('fragments', () => {
  let bench: Workbench;
  beforeAll(async () => {
    bench = await openWorkbench([...runningTools, ...executionTools]);
  }, N8N_START_MS);
  afterAll(() => bench[Symbol.asyncDispose]());

  /** Creates a workflow and returns the nodes that n8n stored. */
  async function accepted(label: string, { nodes, connections }: Fragment): Promise<Node[]> {
    const body = { nodes: nodes as unknown as Node[], connections: connections as Connections };
    return (await make(bench, label, body, { publish: false })).nodes;
  }

  describe('of the curated subtypes are accepted', () => {
    test.each([...curatedSpecs])('%s', async (name, spec) => {
      const fragment = spec.fragment(testCatalogue());
      const kept = await accepted(name, fragment);
      expect(
        kept.map(({ name: one, type, typeVersion, parameters }) => ({ name: one, type, typeVersion, parameters })),
      ).toEqual(
        fragment.nodes.map(({ name: one, type, typeVersion, parameters }) => ({
          name: one,
          type,
          typeVersion,
          parameters,
        })),
      );
    });
  });

  describe('of all other nodes are accepted', () => {
    test.each(nodeTypes)('%s', async (type) => {
      const catalogue = testCatalogue();
      const all = catalogue.nodes().filter((node) => node.type === type);
      for (let from = 0; from < all.length; from += 60) {
        const some = all.slice(from, from + 60).map(({ name }, at) => numbered(fragmentFor(catalogue, name), at));
        const together = {
          nodes: some.flatMap(({ nodes }) => nodes),
          connections: Object.assign({}, ...some.map(({ connections }) => connections)) as Fragment['connections'],
        };
        expect(await accepted(`${type}${from}`, together)).toHaveLength(together.nodes.length);
      }
      expect(all.length).toBeGreaterThan(10);
    });
  });

  describe('that need no other service run', () => {
    /** Puts the fragment behind a webhook. Its output is the response. */
    async function prepared(label: string, fragment: Fragment, from: { node: string; output?: number }) {
      const first = fragment.nodes[0] as unknown as Node;
      const start = line(hook(bench.name(label)), set('Order', '$json.body'), { ...first });
      const end = node('End', 'noOp', 1);
      const last = fragment.connections[from.node]?.main ?? [];
      const mains = Array.from({ length: Math.max(last.length, (from.output ?? 0) + 1) }, (_, at) => [
        ...(last[at] ?? []),
        ...(at === (from.output ?? 0) ? [{ node: 'End', type: 'main', index: 0 }] : []),
      ]);
      const { id } = await make(bench, label, {
        nodes: [...start.nodes, ...(fragment.nodes.slice(1) as unknown as Node[]), end],
        connections: {
          ...start.connections,
          ...(fragment.connections as Connections),
          [from.node]: { ...fragment.connections[from.node], main: mains },
        },
      });
      return async (data: object) => (await bench.call<{ data: unknown[] }>('n8n_execute_workflow', { id, data })).data;
    }
    async function run(label: string, fragment: Fragment, data: object, from: { node: string; output?: number }) {
      return (await prepared(label, fragment, from))(data);
    }
    const curated = (name: string) => curatedSpecs.get(name)?.fragment(testCatalogue()) as Fragment;

    test.each([
      ['ACTION.DATA_TRANSFORMATION', { name: 'Ada', age: 36 }, 'Edit Fields', 0],
      ['FLOW.IF', { amount: 250 }, 'If', 0],
      ['FLOW.IF', { amount: 5 }, 'If', 1],
      ['FLOW.FILTER', { status: 'open' }, 'Filter', 0],
      ['FLOW.SORT', { date: '2027-01-01' }, 'Sort', 0],
      ['FLOW.LOOP', { a: 1 }, 'Loop Over Items', 0],
      ['FLOW.MERGE', { a: 1 }, 'Merge', 0],
    ])('%s passes on %j', async (name, item, from, output) => {
      expect(await run(`${name}${output}`, curated(name), item, { node: from, output })).toEqual([item]);
    });

    test('FLOW.DELAY pauses', async () => {
      const { nodes, connections } = curated('FLOW.DELAY');
      const short = nodes.map((one) => ({ ...one, parameters: { ...one.parameters, amount: 0.2 } }));
      const began = Date.now();
      expect(await run('delay', { nodes: short, connections }, { a: 1 }, { node: 'Delay' })).toEqual([{ a: 1 }]);
      expect(Date.now() - began).toBeGreaterThanOrEqual(200);
    });

    test('ACTION.HTTP_REQUEST calls a URL', async () => {
      await using stack = new AsyncDisposableStack();
      const server = createServer((_, response) => {
        response.setHeader('content-type', 'application/json').end('[{"id":1},{"id":2}]');
      });
      stack.defer(() => void server.close());
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
      const { nodes, connections } = curated('ACTION.HTTP_REQUEST');
      const aimed = nodes.map((one) => ({ ...one, parameters: { ...one.parameters, url } }));
      const given = await run('http', { nodes: aimed, connections }, {}, { node: 'HTTP Request' });
      expect(given).toEqual([{ id: 1 }, { id: 2 }]);
    });

    test('MEMORY.KEY_VALUE_STORE stores a value and overwrites it', async () => {
      const table = bench.name('values').replaceAll('-', '_');
      const named = (fragment: Fragment): Fragment =>
        JSON.parse(JSON.stringify(fragment).replaceAll('key_value_store', table)) as Fragment;
      const store = await prepared('values', named(curated('MEMORY.KEY_VALUE_STORE')), { node: 'Recall' });
      for (const value of ['red', 'blue']) {
        expect(await store({ key: 'colour', value })).toEqual([expect.objectContaining({ key: 'colour', value })]);
      }
      for await (const { id, name } of bench.client.dataTables.all()) {
        if (name === table) await bench.client.http.ask('DELETE', `/api/v1/data-tables/${id}`, {});
      }
    });
  });
});

/** Makes node names unique across fragments. */
function numbered({ nodes, connections }: Fragment, at: number): Fragment {
  const named = (name: string) => `${name} #${at}`;
  return {
    nodes: nodes.map((node) => ({ ...node, name: named(node.name) })),
    connections: Object.fromEntries(
      Object.entries(connections).map(([from, byType]) => [
        named(from),
        Object.fromEntries(
          Object.entries(byType).map(([type, outputs]) => [
            type,
            outputs.map((links) => links.map((link) => ({ ...link, node: named(link.node) }))),
          ]),
        ),
      ]),
    ),
  };
}
