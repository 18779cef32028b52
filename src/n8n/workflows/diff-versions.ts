import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { type Comparable, describeDiff, diffWorkflows } from '../diff/diff.ts';
import { type N8nDeps, n8nTool } from '../tool.ts';
import { existingWorkflow } from './existing.ts';
import { idInput } from './id-input.ts';
import { versionOf } from './version.ts';

const BACKUP = 'backup:';

export const diffVersions = n8nTool({
  name: 'n8n_diff_versions',
  title: 'Diff versions',
  description:
    'Says what differs between two versions of a workflow in words: nodes, parameters, connections. Each side is draft, published, a version of the history, or backup:ID. Unless told, what publishing the draft would change.',
  effect: 'read',
  phrases:
    "what is different between two versions; compare the draft with the live version; what would publishing change; unpublished changes; what did i change since it went live; compare versions of a workflow; changes between revisions; what did somebody change in the workflow; diff of a workflow; what changed in the workflow; what is the difference between draft and published; show changes before i publish; compare now with last week's version; what did my colleague edit; which nodes were changed between versions; is the draft the same as live; what is in the draft that production does not have; what did my colleague alter; what is not yet published; what happens if i publish; show the edits since monday; side by side of two revisions; is there a difference between live and saved; which parameters were modified; review changes; what would my edits alter in production; contrast one version with another; what changed since it was published; what is new in the draft; show modifications; delta between versions; live versus draft; what has been edited; changes i have not published; what did they do to my workflow",
  tags: ['workflows', 'versions'],
  input: {
    id: idInput,
    before: z.string().max(200).optional().describe('published unless told; or draft, a version, backup:ID'),
    after: z.string().max(200).optional().describe('draft unless told; or published, a version, backup:ID'),
    from: z.int().min(0).optional().describe('Skip this many lines, as the answer before said'),
  },
  output: z.object({
    workflow: z.object({ id: z.string(), name: z.string() }),
    before: z.string(),
    after: z.string(),
    same: z.boolean(),
    changes: z.array(z.string()).describe('+ added, - removed, ~ changed'),
    more: z.string().optional().describe('How to get the rest'),
  }),
  examples: [
    { title: 'What publishing would change', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
    { title: 'Since a backup', arguments: { id: 'aB3xY9kLmN0pQrSt', before: 'backup:ID' } },
  ],
  async run({ id, before = 'published', after = 'draft', from = 0 }, deps, { signal }) {
    const { client } = deps;
    const workflow = await existingWorkflow(client, id, signal);
    const [old, now] = await Promise.all([
      side(client, deps, workflow, before, signal),
      side(client, deps, workflow, after, signal),
    ]);
    const lines = describeDiff(diffWorkflows(old, now));
    const head = { workflow: { id, name: workflow.name }, before, after, same: lines.length === 0 };
    const left = lines.slice(from);
    const kept = fittingItems(left, head);
    return {
      ...head,
      changes: left.slice(0, kept),
      ...(kept < left.length && { more: `${left.length - kept} more lines: repeat with "from": ${from + kept}.` }),
    };
  },
});

async function side(
  client: N8nClient,
  { backups }: N8nDeps,
  workflow: Workflow,
  named: string,
  signal: AbortSignal,
): Promise<Comparable> {
  if (!named.startsWith(BACKUP)) return versionOf(client, workflow, named, signal);
  return (await backups.read(named.slice(BACKUP.length))).content;
}
