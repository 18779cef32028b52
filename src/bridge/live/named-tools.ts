import { fold } from '../../kernel/nearest-names.ts';
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
