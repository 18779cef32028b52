import { changed } from '../case.ts';
import type { Mutant, Mutation, Sound } from '../mutation.ts';

interface End {
  readonly source: string;
  readonly kind: string;
  readonly output: number;
  readonly target: Readonly<Record<string, unknown>>;
  readonly path: string;
}

type Connections = Readonly<Record<string, Readonly<Record<string, readonly (readonly End['target'][] | null)[]>>>>;

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

function ends({ connections }: Sound): End[] {
  return Object.entries(connections as Connections).flatMap(([source, kinds]) =>
    Object.entries(kinds).flatMap(([kind, outputs]) =>
      outputs.flatMap((targets, output) =>
        (targets ?? []).map((target, place) => ({
          source,
          kind,
          output,
          target,
          path: `/connections/${escaped(source)}/${kind}/${output}/${place}`,
        })),
      ),
    ),
  );
}

/** Applies the change to every connection, one at a time. */
function toEachEnd(
  rule: string,
  name: string,
  key: string,
  value: (end: End, workflow: Sound) => unknown,
  at = `/${key}`,
): Mutation {
  return {
    rule,
    name,
    break: (workflow) =>
      ends(workflow).flatMap((end): Mutant[] => {
        const next = value(end, workflow);
        return next === undefined
          ? []
          : [{ workflow: changed(workflow, `${end.path}/${key}`, next), path: `${end.path}${at}` }];
      }),
  };
}

const typeOf = ({ nodes }: Sound, name: unknown) => {
  const type = nodes.find((node) => node['name'] === name)?.['type'];
  return typeof type === 'string' ? type : '';
};
const isOff = ({ nodes }: Sound, name: unknown) => nodes.find((node) => node['name'] === name)?.['disabled'] === true;

/** What cannot do without a model, embeddings or a retriever. */
const needs = /^ai_(languageModel|embedding|retriever)$/;

export const mutations: Mutation[] = [
  toEachEnd('unknown-connection-target', 'a target that does not exist', 'node', () => 'Nobody is called this'),
  toEachEnd(
    'connection-by-id',
    'the id of a target',
    'node',
    ({ target }, { nodes }) => nodes.find((node) => node['name'] === target['node'])?.['id'],
  ),
  toEachEnd('unknown-connection-kind', 'a kind that does not exist', 'type', () => 'ai_wisdom'),
  toEachEnd('connection-kind-mismatch', 'two kinds at two ends', 'type', ({ kind }) =>
    kind === 'main' ? 'ai_memory' : 'main',
  ),
  toEachEnd('connection-shape', 'an index in quotes', 'index', () => '0', ''),
  toEachEnd('input-index', 'an input far out of range', 'index', ({ target }, workflow) =>
    // A trigger has no input at all: another rule reports that.
    isOff(workflow, target['node']) || /trigger/i.test(typeOf(workflow, target['node'])) ? undefined : 1500,
  ),
  {
    rule: 'output-index',
    name: 'an output far out of range',
    break: (workflow) =>
      ends(workflow).flatMap(({ source, kind, target }): Mutant[] => {
        const path = `/connections/${escaped(source)}/${kind}`;
        const outputs = [...Array.from({ length: 40 }, () => null), [target]];
        return [{ workflow: changed(workflow, path, outputs), path: `${path}/40/0` }];
      }),
  },
  {
    rule: 'unknown-connection-source',
    name: 'a source that does not exist',
    break: (workflow) =>
      Object.entries(workflow['connections'] as Connections).map(([source, below]) => {
        const { [source]: _, ...others } = workflow['connections'] as Connections;
        const connections = { ...others, 'Nobody is called this': below };
        return { workflow: { ...workflow, connections }, path: '/connections/Nobody is called this' };
      }),
  },
  {
    rule: 'duplicate-connection',
    name: 'a duplicate connection',
    break: (workflow) =>
      ends(workflow).map(({ source, kind, output, target }) => {
        const list = `/connections/${escaped(source)}/${kind}/${output}`;
        const length = (workflow['connections'] as Connections)[source]?.[kind]?.[output]?.length ?? 0;
        return { workflow: changed(workflow, `${list}/-`, target), path: `${list}/${length}` };
      }),
  },
  {
    rule: 'missing-sub-node',
    name: 'a removed sub-node',
    break: (workflow) =>
      ends(workflow).flatMap(({ source, kind, target, path }): Mutant[] => {
        const index = workflow.nodes.findIndex((node) => node['name'] === target['node']);
        const isNeeded =
          needs.test(kind) &&
          !isOff(workflow, target['node']) &&
          !isOff(workflow, source) &&
          !isChosen(workflow, target);
        if (!isNeeded) return [];
        const list = path.slice(0, path.lastIndexOf('/'));
        const others = ends(workflow).filter((end) => end.path.startsWith(`${list}/`) && end.path !== path);
        return [
          {
            workflow: changed(
              workflow,
              list,
              others.map((end) => end.target),
            ),
            path: `/nodes/${index}`,
          },
        ];
      }),
  },
  {
    rule: 'wrong-output-kind',
    name: 'a sub-node among the items',
    break: (workflow) =>
      ends(workflow).flatMap(({ source, kind, target }): Mutant[] => {
        if (kind === 'main') return [];
        const path = `/connections/${escaped(source)}`;
        return [
          {
            workflow: changed(workflow, path, { main: [[{ ...target, type: 'main', index: 0 }]] }),
            path: `${path}/main/0/0`,
          },
        ];
      }),
  },
  {
    rule: 'no-trigger',
    name: 'no trigger',
    break: (workflow) => {
      const isTrigger = (node: Readonly<Record<string, unknown>>) =>
        /trigger|\.webhook$|cron|interval|emailReadImap/i.test(String(node['type']));
      const left = workflow.nodes.filter((node) => !isTrigger(node));
      if (!left.some((node) => node['disabled'] !== true && !String(node['type']).endsWith('.stickyNote'))) return [];
      return [{ workflow: { ...workflow, nodes: left, connections: {} }, path: '/nodes' }];
    },
  },
];

/** A model selector has one more model than it needs. */
function isChosen(workflow: Sound, { node }: End['target']): boolean {
  return /modelSelector|chainRetrievalQaMulti/.test(typeOf(workflow, node));
}
