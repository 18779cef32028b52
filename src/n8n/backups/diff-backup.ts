import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { describeDiff, diffWorkflows } from '../diff/diff.ts';
import { instanceInput } from '../instances.ts';
import { n8nTool } from '../tool.ts';
import { backupInput, chosenBackup } from './backup-input.ts';

export const diffBackup = n8nTool({
  name: 'n8n_diff_backup',
  title: 'Diff backup',
  description:
    'Says in words what has changed since a backup: nodes, parameters, connections, settings. Or what differs between two backups. Use it before n8n_restore_workflow.',
  effect: 'read',
  phrases:
    'what changed since the backup; compare with a backup; difference between two backups; compare the workflow with its saved copy; what would restoring bring back; how does it differ from the snapshot; preview a restore; differences to the backup; what has been modified since the snapshot; is the current workflow the same as the backup; compare two saved copies; what did i change since i saved it; which backup has the right content; what have i messed up since the snapshot; is the backup identical to what we have; what is newer than the backup; what got lost since the backup; check the copy against the present state; how far is the current flow from the backup; how does the current flow deviate from the saved one; what is different from the copy; did it change after the backup; show what the restore would alter; current versus saved',
  tags: ['backups', 'versions'],
  input: {
    instance: instanceInput.describe('The n8n to compare with; the one that the backup is of unless told'),
    backup: backupInput.optional(),
    workflow: z.string().min(1).max(200).optional().describe('Id of a workflow, for its newest backup'),
    against: z.string().min(1).max(500).optional().describe('Another backup; the workflow as it is now unless told'),
    from: z.int().min(0).optional().describe('Skip this many lines, as the answer before said'),
  },
  output: z.object({
    workflow: z.object({ id: z.string(), name: z.string() }),
    backup: z.string(),
    taken: z.string(),
    against: z.string(),
    same: z.boolean(),
    changes: z.array(z.string()).describe('From the backup to the other: + added, - removed, ~ changed'),
    more: z.string().optional().describe('How to get the rest'),
  }),
  async run({ instance, backup: id, workflow, against, from = 0 }, { instances, backups }, { signal }) {
    const backup = await chosenBackup(backups, { instance, backup: id, workflow });
    const client = instances.get(instance ?? backup.instance);
    const other =
      against === undefined
        ? await client.workflows.get(backup.workflow, signal).catch((error: unknown) => {
            throw error instanceof AppError && error.code === 'not_found' ? gone(backup.name, backup.id) : error;
          })
        : (await backups.read(against, backup.workflow)).content;
    // What it remembers changes with every run, and is no change of the workflow.
    const quiet = { staticData: undefined };
    const lines = describeDiff(diffWorkflows({ ...backup.content, ...quiet }, { ...other, ...quiet }));
    const head = {
      workflow: { id: backup.workflow, name: backup.name },
      backup: backup.id,
      taken: backup.taken,
      against: against ?? 'now',
      same: lines.length === 0,
    };
    const left = lines.slice(from);
    const kept = fittingItems(left, head);
    return {
      ...head,
      changes: left.slice(0, kept),
      ...(kept < left.length && { more: `${left.length - kept} more lines: repeat with "from": ${from + kept}.` }),
    };
  },
});

function gone(name: string, id: string): AppError {
  return new AppError(
    'not_found',
    `"${name}" does not exist any more, so there is nothing to compare with. n8n_restore_workflow with "backup": "${id}" brings it back.`,
  );
}
