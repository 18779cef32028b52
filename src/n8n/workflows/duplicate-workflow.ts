import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Node } from '../client/shapes.ts';
import { instanceInput } from '../instances.ts';
import { assignTags } from '../tags/names.ts';
import { n8nTool } from '../tool.ts';
import { writable } from './body.ts';
import { existingWorkflow } from './existing.ts';
import { idInput } from './id-input.ts';
import { summaryOf, workflowSummary } from './summary.ts';
import { webhookPaths } from './webhook-paths.ts';

export const duplicateWorkflow = n8nTool({
  name: 'n8n_duplicate_workflow',
  title: 'Duplicate workflow',
  description:
    'Copies a workflow as a new draft, with nodes, credentials, pinned data, settings and tags. Says which webhook paths the two share: only one of them can be live with such a path.',
  effect: 'create',
  phrases:
    'copy a workflow; duplicate an automation; clone a flow; make a second one like it; use a workflow as a template for another; make a copy to experiment with; replicate a workflow under another name; fork a workflow; make a copy of a workflow; create a second version of the flow to play with; same workflow again with another name; copy an existing automation as a starting point; twin of a workflow; save as new workflow; same thing for somebody else; clone it; i need it twice; base a new one on this; make another one like this; staging copy of a workflow; create a variant; reproduce the workflow; i need this flow a second time; make a twin; copy for staging; start from an existing workflow; reuse this workflow under a new name; create the same workflow again; copy and paste a workflow',
  scope: 'n8n:write',
  category: 'n8n',
  tags: ['workflows'],
  input: z.strictObject({
    instance: instanceInput,
    id: idInput,
    name: z.string().min(1).max(128).optional().describe('Of the copy; the old name with (copy) unless told'),
    tags: z.boolean().optional().describe('Whether it gets the same tags; true unless told'),
  }),
  output: z.object({ workflow: workflowSummary, warnings: z.array(z.string()).optional() }),
  async run({ instance, id, name, tags = true }, { instances }, { signal }) {
    const client = instances.get(instance);
    const original = await existingWorkflow(client, id, signal);
    const copy = copied(original.nodes);
    const groups = (original.nodeGroups ?? []) as { nodeIds?: string[] }[];
    const body = writable({
      ...original,
      name: name ?? `${original.name.slice(0, 120)} (copy)`,
      nodes: copy.nodes,
      nodeGroups: groups.map((group) => ({
        ...group,
        id: randomUUID(),
        nodeIds: (group.nodeIds ?? []).flatMap((old) => copy.ids.get(old) ?? []),
      })),
    });
    let made = await client.workflows.create(body);
    const own = tags ? (original.tags ?? []) : [];
    if (own.length > 0) made = { ...made, tags: await assignTags(client, made.id, own) };
    const shared = webhookPaths(made).filter((path) => webhookPaths(original).includes(path));
    return {
      workflow: summaryOf(made),
      ...(shared.length > 0 && {
        warnings: [
          `Both have the webhook path ${shared.join(', ')}: n8n publishes only one of them. Change it with n8n_edit_workflow (set_parameter, path).`,
        ],
      }),
    };
  },
});

/** n8n wants ids of its own for the copy's nodes and webhooks; a path that was the webhook's id follows it. */
function copied(nodes: readonly Node[]): { nodes: Node[]; ids: Map<string, string> } {
  const ids = new Map<string, string>();
  const copies = nodes.map((node) => {
    const id = randomUUID();
    if (node.id !== undefined) ids.set(node.id, id);
    if (node.webhookId === undefined) return { ...node, id };
    const webhookId = randomUUID();
    const { path } = node.parameters;
    const parameters = path === node.webhookId ? { ...node.parameters, path: webhookId } : node.parameters;
    return { ...node, id, webhookId, parameters };
  });
  return { nodes: copies, ids };
}
