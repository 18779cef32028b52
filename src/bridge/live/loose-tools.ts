import { fold } from '../../kernel/nearest-names.ts';
import type { Json } from '../../kernel/source.ts';
import { toolNameOf } from '../identity.ts';
import type { SharedTools } from './shared-tools.ts';

/** A tool of the shared file that is not listed below a workflow: the AI tool of that name in n8n, wherever it is. */
export type LooseTool = SharedTools['tools'][number];

/** Whether this node of this workflow is the tool that the file means. */
export function isMeantBy(
  { name, node, workflow }: LooseTool,
  of: { readonly id: string; readonly name: string },
  tool: { readonly id?: string | undefined; readonly name: string; readonly type: string },
): boolean {
  if (workflow !== undefined && workflow !== of.id && workflow !== of.name) return false;
  return node === undefined ? fold(toolNameOf(name)) === fold(toolNameOf(tool.name, tool.type)) : node === tool.id;
}

/** The names of loose tools, one each. Of two with one name, the second says its workflow, too. */
export function looseNames(tools: readonly LooseTool[]): Map<string, LooseTool> {
  const named = new Map<string, LooseTool>();
  const taken = new Set<string>();
  for (const tool of tools) {
    const { name, type, workflow, disabled } = tool;
    if (disabled) continue;
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
export function inWordsOf(schema: Json, { inputSchema }: LooseTool, given: Json | undefined): Json | undefined {
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
