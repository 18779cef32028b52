import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { GraphLine } from '../transfer/item.ts';
import type { Call } from './call.ts';
import { graphLines } from './read-graph.ts';
import { sendGraph } from './send-graph.ts';

const entity = (name: string): GraphLine => ({ type: 'entity', name, entityType: 'person', observations: ['x'] });
const relation: GraphLine = { type: 'relation', from: 'a', to: 'b', relationType: 'knows' };

const absent: Call = async () => {
  throw new AppError('not_found', 'No such tool.');
};

/** Answers calls of these tools, and notes them. */
function graphOf(given: Record<string, (args: Json) => object>) {
  const tools = new Map(Object.entries(given));
  const calls: [string, Json][] = [];
  const call = async (tool: string, args: Json) => {
    calls.push([tool, args]);
    return tools.get(tool)?.(args);
  };
  return { calls, call: call as Call };
}

test('sends entities first, in the words of the graph', async () => {
  const { calls, call } = graphOf({ graph_create_entities: () => ({}), graph_create_relations: () => ({}) });
  const sent = await sendGraph(call, [relation, entity('a'), { ...entity('b'), properties: { age: 3 } }], () => {});
  expect(sent).toEqual({ entities: 2, relations: 1, problems: [] });
  expect(calls).toEqual([
    [
      'graph_create_entities',
      {
        entities: [
          { name: 'a', type: 'person', observations: ['x'] },
          { name: 'b', type: 'person', observations: ['x'], properties: { age: 3 } },
        ],
      },
    ],
    ['graph_create_relations', { relations: [{ from: 'a', to: 'b', type: 'knows' }] }],
  ]);
});

test('leaves out only what the graph refuses', async () => {
  const { call } = graphOf({
    graph_create_entities({ entities }) {
      if ((entities as { name: string }[]).some(({ name }) => name === ''))
        throw new AppError('invalid_input', 'No name.');
      return {};
    },
  });
  const sent = await sendGraph(call, [entity('a'), entity(''), entity('c')], () => {});
  expect(sent).toEqual({ entities: 2, relations: 0, problems: ['No name.'] });
});

test('notices that there is no graph', async () => {
  expect(await sendGraph(absent, [entity('a')], () => {})).toBeUndefined();
  expect(await Array.fromAsync(graphLines(absent))).toEqual([]);
});

test('reads the graph page by page, and joins the observations of an entity', async () => {
  const { call } = graphOf({
    graph_get_subgraph: ({ cursor }) =>
      cursor === undefined
        ? { entities: [{ name: 'a' }], relations: [], cursor: '1' }
        : { entities: [{ name: 'b' }], relations: [{ from: 'a', type: 'knows', to: 'b' }] },
    graph_get_entities: ({ cursor }) =>
      cursor === undefined
        ? { entities: [{ name: 'a', type: 't', observations: ['1'] }], cursor: '2' }
        : {
            entities: [
              { name: 'a', type: 't', observations: ['2'] },
              { name: 'b', type: 't', observations: [] },
            ],
          },
  });
  const lines = (await Array.fromAsync(graphLines(call))).map((line) => JSON.parse(line) as Json);
  expect(lines).toEqual([
    { type: 'entity', name: 'a', entityType: 't', observations: ['1', '2'] },
    { type: 'entity', name: 'b', entityType: 't', observations: [] },
    { type: 'relation', from: 'a', to: 'b', relationType: 'knows' },
  ]);
});
