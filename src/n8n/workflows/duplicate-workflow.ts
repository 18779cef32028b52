import { z } from 'zod';
import { assignTags } from '../tags/names.ts';
import { n8nTool } from '../tool.ts';
import { addressesOf, addressShape } from './addresses.ts';
import { writable } from './body.ts';
import { copiedNodes, sharedAddress } from './copied-nodes.ts';
import { existingWorkflow } from './existing.ts';
import { idInput } from './id-input.ts';
import { summaryOf, workflowSummary } from './summary.ts';

export const duplicateWorkflow = n8nTool({
  name: 'n8n_duplicate_workflow',
  title: 'Duplicate workflow',
  description:
    'Copies a workflow as a new draft, with nodes, credentials, pinned data, settings and tags. Its webhooks, forms and chats get new addresses, so both can be live; the answer lists them.',
  effect: 'create',
  phrases:
    'copy a workflow; duplicate an automation; clone a flow; make a second one like it; use a workflow as a template for another; make a copy to experiment with; replicate a workflow under another name; fork a workflow; make a copy of a workflow; create a second version of the flow to play with; same workflow again with another name; copy an existing automation as a starting point; twin of a workflow; save as new workflow; same thing for somebody else; clone it; i need it twice; base a new one on this; make another one like this; staging copy of a workflow; create a variant; reproduce the workflow; i need this flow a second time; make a twin; copy for staging; start from an existing workflow; reuse this workflow under a new name; create the same workflow again; copy and paste a workflow',
  tags: ['workflows'],
  input: {
    id: idInput,
    name: z.string().min(1).max(128).optional().describe('Name of the copy. Default: the old name with (copy)'),
    tags: z.boolean().optional().describe('Copy the tags. Default: true'),
  },
  output: z.object({
    workflow: workflowSummary,
    addresses: z.array(addressShape).optional().describe('URLs of the copy, once it is published'),
    warnings: z.array(z.string()).optional(),
  }),
  async run({ id, name, tags = true }, { client }, { signal }) {
    const original = await existingWorkflow(client, id, signal);
    const { nodes, nodeGroups, shared } = copiedNodes(original);
    const body = writable({ ...original, name: name ?? `${original.name.slice(0, 120)} (copy)`, nodes, nodeGroups });
    let made = await client.workflows.create(body);
    const own = tags ? (original.tags ?? []) : [];
    if (own.length > 0) made = { ...made, tags: await assignTags(client, made.id, own) };
    const addresses = addressesOf(client.url, made);
    return {
      workflow: summaryOf(made),
      ...(addresses.length > 0 && { addresses }),
      ...(shared.length > 0 && { warnings: [sharedAddress(shared)] }),
    };
  },
});
