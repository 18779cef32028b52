import type { Catalogue, NodeSummary } from '../../src/nodes/catalogue.ts';
import type { Choice, Group, Property } from '../../src/nodes/description.ts';
import type { Random } from './random.ts';

/** A workflow of real nodes with some of their parameters, connected at random. */
export function randomWorkflow(catalogue: Catalogue, chance: Random, size: number): Record<string, unknown> {
  const nodes = Array.from({ length: size }, (_, index) => randomNode(catalogue, chance, index));
  const connections: Record<string, Record<string, unknown[][]>> = {};
  for (let count = 0; count < size * 1.5; count++) {
    const [source, target] = [chance.pick(nodes).name, chance.pick(nodes).name];
    const kind = chance.chance(0.8)
      ? 'main'
      : chance.pick(['ai_tool', 'ai_languageModel', 'ai_memory', 'ai_embedding']);
    const outputs = ((connections[source] ??= {})[kind] ??= []);
    const output = chance.below(3);
    while (outputs.length <= output) outputs.push([]);
    outputs[output]?.push({ node: target, type: kind, index: chance.below(2) });
  }
  return { name: 'By chance', nodes, connections, settings: {} };
}

function randomNode(catalogue: Catalogue, chance: Random, index: number) {
  const summary: NodeSummary = chance.pick(catalogue.nodes());
  const version = chance.pick(summary.versions);
  const properties = catalogue.description(summary.name, version)?.properties ?? [];
  return {
    id: `id-${index}`,
    name: `Node ${index}`,
    type: summary.name,
    typeVersion: version,
    position: [index * 200, 0],
    parameters: randomParameters(properties, chance, 0),
    ...(chance.chance(0.1) && { onError: chance.pick(['continueErrorOutput', 'continueRegularOutput']) }),
    ...(chance.chance(0.1) && { disabled: true }),
  };
}

function randomParameters(properties: readonly Property[], chance: Random, depth: number): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const property of properties) {
    if (chance.chance(depth === 0 ? 0.4 : 0.6)) parameters[property.name] = randomValue(property, chance, depth);
  }
  return parameters;
}

function randomValue(property: Property, chance: Random, depth: number): unknown {
  if (chance.chance(0.15)) return chance.pick(oddValues);
  if (chance.chance(0.1)) return chance.pick(expressions);
  const options = property.options ?? [];
  switch (property.type) {
    case 'options':
      return options.length > 0 ? (chance.pick(options) as Choice).value : 'x';
    case 'multiOptions':
      return options.slice(0, 2).map((one) => (one as Choice).value);
    case 'boolean':
      return chance.chance(0.5);
    case 'number':
      return chance.below(1000) - 10;
    case 'collection':
      return depth > 3 ? {} : randomParameters(options as readonly Property[], chance, depth + 1);
    case 'fixedCollection': {
      const group = options.length > 0 ? (chance.pick(options) as Group) : undefined;
      if (!group || depth > 3) return {};
      const value = randomParameters(group.values ?? [], chance, depth + 1);
      return { [group.name]: chance.chance(0.5) ? [value] : value };
    }
    case 'resourceLocator':
      return { __rl: true, mode: chance.pick(['list', 'id', 'url', 'nope']), value: chance.pick(['', 'x', 7]) };
    case 'json':
      return chance.pick(['{}', '{', '{"a":1}', '[]', '={{ {} }}']);
    case 'filter':
      return {
        conditions: [
          { leftValue: '={{ $json.a }}', rightValue: '(a+)+$', operator: { type: 'string', operation: 'regex' } },
        ],
        combinator: 'and',
        options: {},
      };
    case 'assignmentCollection':
      return { assignments: [{ id: '1', name: 'a', type: chance.pick(['string', 'number', 'x']), value: 'v' }] };
    default:
      return chance.pick(['', 'text', 'https://example.com', '0 * * * *', '2020-01-01']);
  }
}

const expressions = [
  '={{ $json.a }}',
  "={{ $('Node 1').item.json.b }}",
  '={{ $node["Node 2"].json }}',
  '={{ ',
  '={{ }}',
  '=text {{ 1 + }} more',
  '={{ $fromAI("x", "y", "string") }}',
  '=',
  '={{ `${$json.a}` }}',
  '={{ /(a+)+$/.test($json.a) }}',
] as const;

/** Values that do not belong anywhere. */
export const oddValues: readonly unknown[] = [
  null,
  '',
  0,
  -1,
  1e308,
  true,
  [],
  {},
  [null],
  [[]],
  { '': '' },
  { length: 1e9 },
  { toString: 1, valueOf: 2 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { constructor: { prototype: 1 } },
  '__proto__',
  'constructor',
  'x'.repeat(5000),
  '\u0000',
  '\uD800',
  '🙂'.repeat(100),
  { node: 'Node 1', type: 'main', index: 0 },
  { values: [null] },
  { __rl: true },
  { conditions: [null], combinator: 7 },
  { conditions: {} },
  { assignments: null },
  { mappingMode: 3, value: [], schema: 'x' },
];
