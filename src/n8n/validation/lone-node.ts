import type { Rec } from '../../validation/json/record.ts';

/** `$('Name')`, `$node["Name"]`, `$items("Name")`, `$node.Name`. The length limits keep a text full of quotes cheap. */
const reference =
  /\$(?:\(|items\(|node\[)\s{0,9}(['"`])((?:\\.|(?!\1).){1,200})\1\s{0,9}[)\]]|\$node\.([A-Za-z_]\w{0,199})/g;
const MOST_NAMES = 200;
const DEEPEST = 100;

/** Wraps one node in a workflow where every node it refers to exists and runs before it. */
export function loneNode(node: Rec) {
  const name = typeof node.name === 'string' && node.name !== '' ? node.name : 'Node';
  const names = [...referencesIn(node.parameters)].filter((one) => one !== name);
  const others = names.map((other, index) => ({
    id: `other-${index}`,
    name: other,
    type: 'n8n-nodes-base.noOp',
    typeVersion: 1,
    position: [0, 0],
    parameters: {},
  }));
  const chain = [...names, name];
  return {
    name: 'One node',
    nodes: [{ id: 'node', position: [0, 0], parameters: {}, ...node, name }, ...others],
    // fromEntries also defines a key called __proto__.
    connections: Object.fromEntries(
      names.map((one, index) => [one, { main: [[{ node: chain[index + 1], type: 'main', index: 0 }]] }]),
    ),
    settings: {},
  };
}

function referencesIn(value: unknown, names = new Set<string>(), depth = 0): Set<string> {
  if (typeof value === 'string') {
    for (const match of value.matchAll(reference)) {
      if (names.size < MOST_NAMES) names.add((match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1'));
    }
  } else if (typeof value === 'object' && value !== null && depth < DEEPEST) {
    for (const inner of Object.values(value)) referencesIn(inner, names, depth + 1);
  }
  return names;
}
