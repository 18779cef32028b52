import { z } from 'zod';
import { n8nTool } from '../tool.ts';
import { eachWorkflow, failure } from '../workflows/each.ts';
import { existingWorkflow } from '../workflows/existing.ts';
import { idsInput, idsOf } from '../workflows/id-input.ts';
import { assignTags, tagIds } from './names.ts';
import { tagNameInput } from './tag-input.ts';

export const setWorkflowTags = n8nTool({
  name: 'n8n_set_workflow_tags',
  title: 'Set workflow tags',
  description:
    'Sets the tags of one workflow or many. Replaces the tags it has; with "add", keeps them. Creates tags that do not exist only with "create".',
  effect: 'update',
  phrases:
    'tag a workflow; put a label on workflows; add a tag to several workflows; remove a tag from a workflow; categorise workflows; assign tags; label it as production; group or organise automations; mark a workflow with a label; give a workflow a label; mark workflows as important; sort workflows into categories; replace the tags of a workflow; untag a workflow; assign a category to an automation; tag many workflows at once; add a label to my flow; mark some flows with a label; remove a label from it; sort my flows by label; put it in a category; give it the tag; flag a workflow; tags of this workflow should be; attach a tag; detach a tag; classify a flow; these belong together, label them; put workflows into a group; change the labels of a workflow; give tags; organise my workflows; tag it; clear the tags of a workflow; workflow should carry a label',
  tags: ['tags', 'workflows'],
  input: {
    id: idsInput,
    tags: z.array(tagNameInput).max(50).describe('Names of tags; an empty list removes all'),
    add: z.boolean().optional().describe('Keep the tags it has'),
    create: z.boolean().optional().describe('Create the tags that do not exist'),
  },
  output: z.object({
    workflows: z.array(
      z.object({ id: z.string(), name: z.string(), before: z.array(z.string()), tags: z.array(z.string()) }),
    ),
    failed: z.array(failure).optional(),
  }),
  examples: [
    { title: 'Mark for the bridge', arguments: { id: ['id1', 'id2'], tags: ['mcp'], add: true, create: true } },
  ],
  async run({ id, tags, add, create = false }, { client }, { signal }) {
    const wanted = await tagIds(client, tags, create, signal);
    const { done, failed } = await eachWorkflow(idsOf(id), signal, (one) =>
      client.turns.take(one, async () => {
        const { name, tags: given } = await existingWorkflow(client, one, signal);
        const own = given ?? [];
        const kept = add ? own.filter((tag) => !wanted.some((other) => other.id === tag.id)) : [];
        const now = await assignTags(client, one, [...kept, ...wanted]);
        return { id: one, name, before: own.map((tag) => tag.name), tags: now.map((tag) => tag.name) };
      }),
    );
    return { workflows: done, ...(failed.length > 0 && { failed }) };
  },
});
