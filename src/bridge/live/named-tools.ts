import { fold } from '../../kernel/nearest-names.ts';
import type { Json } from '../../kernel/source.ts';
import { toolNameOf } from '../identity.ts';
import type { SharedTools } from './shared-tools.ts';

/** A tool that the shared file lists by name, outside of a workflow: the AI tool of that name in n8n, wherever it is. */
export type NamedTool = SharedTools['tools'][number];

/** What is compared of a node that is connected as a tool. */
interface Node {
  readonly id?: string | undefined;
  readonly name: string;
  readonly type: string;
}

interface Workflow {
  readonly id: string;
  readonly name: string;
}

/** The AI tools that the shared file names. */
export interface NamedTools {
  readonly tools: readonly NamedTool[];
  /** Whether one of them means this node of this workflow. */
  has(workflow: Workflow, node: Node): boolean;
}

/** Names that differ only in case, spaces, `_` and `-` are the same. */
export const comparedName = (name: string, type?: string): string => fold(toolNameOf(name, type));

export function namedTools(all: readonly NamedTool[]): NamedTools {
  const tools = all.filter(({ disabled }) => !disabled);
  const byNode = Map.groupBy(tools, ({ node }) => node);
  const byName = Map.groupBy(
    tools.filter(({ node }) => node === undefined),
    ({ name }) => comparedName(name),
  );
  return {
    tools,
    has: (workflow, { id, name, type }) =>
      [
        ...((id !== undefined && byNode.get(id)) || []),
        ...(byName.size === 0 ? [] : (byName.get(comparedName(name, type)) ?? [])),
      ].some((tool) => isIn(tool, workflow)),
  };
}

export const isIn = ({ workflow }: NamedTool, { id, name }: Workflow): boolean =>
  workflow === undefined || workflow === id || workflow === name;

/** Names for them, one each. Of two with one name, the second says its workflow, too. */
export function distinctNames(tools: readonly NamedTool[]): Map<string, NamedTool> {
  const named = new Map<string, NamedTool>();
  const taken = new Set<string>();
  for (const tool of tools) {
    const { name, type, workflow } = tool;
    const free = [toolNameOf(name, type), ...(workflow === undefined ? [] : [toolNameOf(`${name} ${workflow}`)])].find(
      (one) => !taken.has(fold(one)),
    );
    if (free === undefined) continue;
    taken.add(fold(free));
    named.set(free, tool);
  }
  return named;
}

/**
 * Many tools have a single parameter, and whoever writes the file may call it otherwise than n8n does: `expression` for
 * the calculator's `input`.
 */
export function inWordsOf(schema: Json, { inputSchema }: NamedTool, given: Json | undefined): Json | undefined {
  const [theirs, ours] = [onlyProperty(schema), onlyProperty(inputSchema)];
  if (!given || theirs === undefined || ours === undefined || theirs === ours) return given;
  if (!Object.hasOwn(given, ours) || Object.hasOwn(given, theirs)) return given;
  const { [ours]: value, ...rest } = given;
  return { ...rest, [theirs]: value };
}

function onlyProperty(schema: Json | undefined): string | undefined {
  const { properties } = (schema ?? {}) as { properties?: Json };
  const [only, ...more] = Object.keys(properties ?? {});
  return more.length === 0 ? only : undefined;
}
