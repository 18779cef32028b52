import type { Found } from '../discover.ts';
import type { OwnRecords } from '../../n8n/generate/records.ts';
import { type Named, nameTools, nameWorkflows, toolNameOf } from '../identity.ts';
import type { Node } from '../../n8n/client/shapes.ts';

const KEY = 'names';

/** Nodes are identified by id. Old nodes may have none. */
export const toolKey = ({ id, name }: { id?: string | undefined; name: string }): string => id ?? name;

const workflowKey = (instance: string, workflow: string): string => JSON.stringify([instance, workflow]);

const memberKey = (instance: string, workflow: string, node: { id?: string | undefined; name: string }): string =>
  JSON.stringify([instance, workflow, toolKey(node)]);

/** By key: the names of a workflow's tools, or the names they would get. */
function toolNames(instance: string, { id, aiTools }: Found, known: ReadonlyMap<string, string>): Map<string, string> {
  const members = aiTools.map(({ node }) => ({
    key: memberKey(instance, id, node),
    name: node.name,
    fallback: node.type,
  }));
  return nameTools(members, known);
}

/** Names the tools of a workflow. `known` are the names assigned before. */
export function toolNamer(
  instance: string,
  found: Found,
  known: ReadonlyMap<string, string> = new Map(),
): (node: Node) => string {
  const names = toolNames(instance, found, known);
  return (node) => names.get(memberKey(instance, found.id, node)) ?? toolNameOf(node.name, node.type);
}

/** The assigned names of all instances. They must be unique across instances. */
export async function openNames(records: OwnRecords) {
  const stored = (await records.get(KEY)) as { workflows?: [string, string][]; tools?: [string, string][] } | undefined;
  let workflows = new Map(stored?.workflows ?? []);
  let tools = new Map(stored?.tools ?? []);

  return {
    slug: (instance: string, workflow: string) => workflows.get(workflowKey(instance, workflow)),
    tool: (instance: string, workflow: string, key: string) => tools.get(JSON.stringify([instance, workflow, key])),
    /** The name that each tool of a workflow has, or would get. */
    namer: (instance: string, found: Found) => toolNamer(instance, found, tools),
    /** Assigns names to `wanted`. Workflows that were deleted in n8n free their names; those merely not wanted keep them. */
    async assign(
      instance: string,
      there: readonly Found[],
      wanted: readonly Found[],
      taken: readonly string[],
    ): Promise<void> {
      const present = new Set(there.map(({ id }) => workflowKey(instance, id)));
      const isGone = (key: string) => (JSON.parse(key) as string[])[0] === instance && !present.has(key);
      const kept = new Map([...workflows].filter(([key]) => !isGone(key)));
      const current = new Map(there.map((one) => [workflowKey(instance, one.id), one.name]));
      const things: Named[] = [
        ...[...kept.keys()].map((key) => ({ key, name: current.get(key) ?? (kept.get(key) as string) })),
        ...wanted
          .map(({ id, name }) => ({ key: workflowKey(instance, id), name, fallback: id }))
          .filter(({ key }) => !kept.has(key)),
      ];
      const before = JSON.stringify([[...workflows], [...tools]]);
      workflows = nameWorkflows(things, kept, taken);
      const named = new Map<string, string>();
      for (const [key, name] of tools) {
        const [place, workflow] = JSON.parse(key) as [string, string];
        if (place !== instance || !wanted.some(({ id }) => id === workflow))
          if (!isGone(workflowKey(place, workflow))) named.set(key, name);
      }
      for (const one of wanted) for (const [key, name] of toolNames(instance, one, tools)) named.set(key, name);
      tools = named;
      if (JSON.stringify([[...workflows], [...tools]]) !== before)
        await records.put(KEY, { workflows: [...workflows], tools: [...tools] });
    },
    /** Frees all names of an instance. */
    async forget(instance: string): Promise<void> {
      const others = ([key]: [string, string]) => (JSON.parse(key) as string[])[0] !== instance;
      workflows = new Map([...workflows].filter(others));
      tools = new Map([...tools].filter(others));
      await records.put(KEY, { workflows: [...workflows], tools: [...tools] });
    },
  };
}

export type Names = Awaited<ReturnType<typeof openNames>>;
