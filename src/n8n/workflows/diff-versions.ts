import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Json } from '../../kernel/source.ts';
import { describeDiff, diffWorkflows } from '../diff/diff.ts';
import { instanceInput } from '../instances.ts';
import { n8nTool } from '../tool.ts';
import { idInput } from './id-input.ts';
import { twoVersions } from './two-versions.ts';

export const diffVersions = n8nTool({
  name: 'n8n_diff_versions',
  aliases: { n8n_diff_backup: sinceBackup },
  title: 'Diff versions',
  description:
    'Shows what differs between two versions of a workflow: nodes, parameters, connections, settings. Each side is draft, published, a version from the history, or a backup. Default: what publishing the draft would change.',
  effect: 'read',
  phrases:
    "what is different between two versions; compare the draft with the live version; what would publishing change; unpublished changes; what did i change since it went live; compare versions of a workflow; changes between revisions; what did somebody change in the workflow; diff of a workflow; what changed in the workflow; what is the difference between draft and published; show changes before i publish; compare now with last week's version; what did my colleague edit; which nodes were changed between versions; is the draft the same as live; what is in the draft that production does not have; what did my colleague alter; what is not yet published; what happens if i publish; show the edits since monday; side by side of two revisions; is there a difference between live and saved; which parameters were modified; review changes; what would my edits alter in production; contrast one version with another; what changed since it was published; what is new in the draft; show modifications; delta between versions; live versus draft; what has been edited; changes i have not published; what did they do to my workflow; what changed since the backup; compare with a backup; difference between two backups; compare the workflow with its saved copy; what would restoring bring back; how does it differ from the snapshot; preview a restore; differences to the backup; what has been modified since the snapshot; is the current workflow the same as the backup; compare two saved copies; what did i change since i saved it; which backup has the right content; what have i messed up since the snapshot; is the backup identical to what we have; what is newer than the backup; what got lost since the backup; check the copy against the present state; how far is the current flow from the backup; how does the current flow deviate from the saved one; what is different from the copy; did it change after the backup; show what the restore would alter; current versus saved",
  tags: ['workflows', 'versions', 'backups'],
  guidance: 'Use it before n8n_publish_workflow, and with "before": "backup" before n8n_restore_workflow.',
  input: {
    instance: instanceInput,
    id: idInput.optional().describe('Workflow id; not needed with the id of a backup'),
    before: sideInput('published'),
    after: sideInput('draft'),
    from: z.int().min(0).optional().describe('Skip this many lines, as the last answer said'),
  },
  output: z.object({
    workflow: z.object({ id: z.string(), name: z.string() }),
    before: z.string(),
    after: z.string(),
    same: z.boolean(),
    changes: z.array(z.string()).describe('From before to after: + added, - removed, ~ changed'),
    more: z.string().optional().describe('How to get the rest'),
  }),
  examples: [
    { title: 'What publishing would change', arguments: { id: 'aB3xY9kLmN0pQrSt' } },
    { title: 'Since the newest backup', arguments: { id: 'aB3xY9kLmN0pQrSt', before: 'backup' } },
  ],
  async run({ instance, id, before = 'published', after = 'draft', from = 0 }, deps, { signal }) {
    const { workflow, ...sides } = await twoVersions({ instance, id, before, after }, deps, signal);
    const lines = describeDiff(diffWorkflows(sides.before.content, sides.after.content));
    const head = { workflow, before: sides.before.name, after: sides.after.name, same: lines.length === 0 };
    const left = lines.slice(from);
    const kept = fittingItems(left, head);
    return {
      ...head,
      changes: left.slice(0, kept),
      ...(kept < left.length && { more: `${left.length - kept} more lines: repeat with "from": ${from + kept}.` }),
    };
  },
});

function sideInput(usual: 'draft' | 'published') {
  const other = usual === 'draft' ? 'published' : 'draft';
  return z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      `Default: ${usual}. Or ${other}, a version from n8n_list_versions, the id of a backup, or "backup" for the newest one`,
    );
}

/** Converts the arguments of n8n_diff_backup: from a backup (default: the newest) to another one (default: the draft). */
function sinceBackup({ workflow, backup = 'backup', against = 'draft', ...given }: Json): Json {
  return { ...given, ...(workflow !== undefined && { id: workflow }), before: backup, after: against };
}
