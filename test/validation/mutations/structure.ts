import { changed, gone } from '../case.ts';
import type { Mutant, Mutation, Sound } from '../mutation.ts';

const STICKY = 'n8n-nodes-base.stickyNote';

type Node = Readonly<Record<string, unknown>>;
/** The new value of the key; `undefined` if this node cannot be broken like this. */
type Given = string | number | boolean | symbol | ((node: Node) => unknown);

/** Applies the change to every node, one at a time. */
function toEachNode(rule: string, name: string, key: string, value: Given, at: 'node' | 'key' = 'key'): Mutation {
  return {
    rule,
    name,
    break: (workflow) =>
      workflow.nodes.flatMap((node, index): Mutant[] => {
        const next = typeof value === 'function' ? value(node) : value;
        if (next === undefined) return [];
        const path = `/nodes/${index}`;
        return [{ workflow: changed(workflow, `${path}/${key}`, next), path: at === 'node' ? path : `${path}/${key}` }];
      }),
  };
}

/** Gives the last node the same value as the first. */
function lastLikeFirst(rule: string, key: string): Mutation {
  return {
    rule,
    name: `two nodes with the same ${key}`,
    break({ nodes, ...rest }: Sound) {
      const last = nodes.length - 1;
      const value = nodes[0]?.[key];
      if (last < 1 || typeof value !== 'string' || value === '') return [];
      return [{ workflow: changed({ nodes, ...rest }, `/nodes/${last}/${key}`, value), path: `/nodes/${last}/${key}` }];
    },
  };
}

function atTop(rule: string, name: string, key: string, value: unknown, path = `/${key}`): Mutation {
  return { rule, name, break: (workflow) => [{ workflow: changed(workflow, `/${key}`, value), path }] };
}

const typeOf = (node: Node): string => String(node['type']);

export const mutations: Mutation[] = [
  atTop('workflow-shape', 'no nodes', 'nodes', gone, ''),
  atTop('workflow-shape', 'no connections', 'connections', gone, ''),
  atTop('workflow-shape', 'connections in a list', 'connections', ['x']),
  toEachNode('node-shape', 'no name', 'name', gone, 'node'),
  toEachNode('node-shape', 'no type', 'type', gone, 'node'),
  toEachNode('node-shape', 'no position', 'position', gone, 'node'),
  toEachNode('node-shape', 'parameters as a string', 'parameters', '{}'),
  toEachNode('node-setting-kind', 'retryOnFail as a string', 'retryOnFail', 'true'),
  toEachNode('unknown-node-type', 'extra letters in the type', 'type', (node) => `${typeOf(node)}zz`),
  toEachNode('unknown-node-type', 'a type without its package', 'type', (node) => typeOf(node).replace(/^.*\./, '')),
  toEachNode('unknown-type-version', 'a version that is far too high', 'typeVersion', 97.3),
  toEachNode('type-version-missing', 'no version', 'typeVersion', gone, 'node'),
  toEachNode('bad-on-error', 'an unknown onError', 'onError', 'whatever'),
  toEachNode('unknown-node-key', 'a misspelt setting', 'executeOnces', (node) =>
    node['executeOnce'] === undefined ? true : undefined,
  ),
  toEachNode('misplaced-node-setting', 'a setting inside the parameters', 'parameters/alwaysOutputData', (node) =>
    node['parameters'] === undefined ? undefined : true,
  ),
  lastLikeFirst('duplicate-node-name', 'name'),
  lastLikeFirst('duplicate-node-id', 'id'),
  {
    rule: 'empty-workflow',
    name: 'every node disabled',
    break: (workflow) => [
      {
        workflow: {
          ...workflow,
          nodes: workflow.nodes.map((node) => (typeOf(node) === STICKY ? node : { ...node, disabled: true })),
        },
        path: '/nodes',
      },
    ],
  },
];
