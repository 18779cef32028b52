import type { Node } from '../../client/shapes.ts';
import { wayOf } from '../../running/ways.ts';
import { slugOf } from './file-name.ts';

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** New words for the ids in the paths of a workflow's webhooks, forms and MCP servers. */
export interface NewPaths {
  /** Old ids, and what stands for each. Nodes that share a path still share one. */
  readonly words: ReadonlyMap<string, string>;
  /** The parameters of the node, with the ids in its paths replaced. */
  parametersOf(node: Node): Node['parameters'];
}

/** A path that n8n made is the only protection of many webhooks: who knows it may call it. */
export function newPaths(nodes: readonly Node[]): NewPaths {
  const words = new Map<string, string>();
  const taken = new Set<string>();
  for (const node of nodes.filter(isAddressed)) {
    for (const id of [...pathsOf(node).flatMap((path) => path.match(uuids) ?? []), node.webhookId ?? '']) {
      if (id === '' || words.has(id)) continue;
      const word = unused(slugOf(node.name) || 'webhook', taken);
      taken.add(word);
      words.set(id, word);
    }
  }
  const renewed = (path: string) => words.get(path) ?? path.replaceAll(uuids, (id) => words.get(id) ?? id);
  return {
    words,
    parametersOf(node) {
      if (!isAddressed(node)) return node.parameters;
      const { path, options } = node.parameters;
      const inOptions = (options as { path?: unknown } | undefined)?.path;
      return {
        ...node.parameters,
        ...(typeof path === 'string' && { path: renewed(path) }),
        ...(typeof inOptions === 'string' && { options: { ...(options as object), path: renewed(inOptions) } }),
      };
    },
  };
}

const isAddressed = (node: Node): boolean => wayOf(node)?.address !== undefined;

function pathsOf({ parameters: { path, options } }: Node): string[] {
  return [path, (options as { path?: unknown } | undefined)?.path].filter((one) => typeof one === 'string');
}

function unused(word: string, taken: ReadonlySet<string>): string {
  let free = word;
  for (let count = 2; taken.has(free); count++) free = `${word}-${count}`;
  return free;
}
