import { z } from 'zod';
import { describeDiff, diffWorkflows } from '../diff/diff.ts';
import { instanceInput } from '../instances.ts';
import { n8nTool } from '../tool.ts';
import { saveGuard, validateInput, validationShape } from '../validation/on-save.ts';
import { addressesOf, addressShape } from '../workflows/addresses.ts';
import { shownChanges } from '../workflows/outcome.ts';
import { publication } from '../workflows/publish.ts';
import { summaryOf, workflowSummary } from '../workflows/summary.ts';
import { backupInput, chosenBackup } from './backup-input.ts';
import { restoreWorkflow as restore } from './restore.ts';

const MOST_NAMED = 20;

export const restoreWorkflow = n8nTool({
  name: 'n8n_restore_workflow',
  title: 'Restore workflow',
  description:
    'Restores a workflow from a backup: in place under the same id (a deleted one comes back under its old id), or with "copy" as a new workflow, whose webhooks, forms and chats get new addresses. Backs up the current state first. What is live stays as it is unless "publish".',
  effect: 'update',
  phrases:
    "undo my last change; revert a change; roll back a workflow; go back to the backup; restore a deleted workflow; bring back what i deleted; recover a lost workflow; make it as it was before; put the old state back; undelete; get the previous state back; i broke it, undo; reset to a snapshot; take my edit back; return to yesterday's state; go back to how it was; i made a mistake, undo it; get my deleted workflow back; reset the workflow to an earlier state; undo the edit; recover from a backup; put back the version from before; revert the last edit; i want the old workflow back; restore from backup; rescue a workflow; undo what you just did; load a snapshot; that was wrong, take it back; i want yesterday evening's state; somebody removed our flow, rescue it; undo; i messed up my workflow; reverse the modification; my changes were bad, go back; bring the old one back; reinstate a workflow; return to the former state; it worked before, put it back; recover what i lost; cancel my changes; oops, revert; deleted by accident; reverse what i did; make the flow the way it was; i deleted a flow by accident; unwind the last edit; bring back the former workflow; get back to a working state; discard my changes; the old one was better; reset it; load the backup; return a removed workflow; step back; fix my mistake by going back; reactivate a deleted workflow; i regret my change",
  tags: ['backups'],
  input: {
    instance: instanceInput.describe('Target n8n. Default: the one the backup is from'),
    backup: backupInput.optional(),
    workflow: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Workflow id: takes its newest backup, which undoes the last change; or picks one of a whole instance'),
    copy: z.boolean().optional().describe('Create a new workflow, keep the present one'),
    name: z.string().min(1).max(128).optional().describe('Name of the copy'),
    publish: z
      .boolean()
      .optional()
      .describe('Publish what was live then; a draft that differed from it becomes the draft again'),
    validate: validateInput,
  },
  output: z.object({
    restored: z.enum(['in place', 'brought back', 'copy']),
    workflow: workflowSummary,
    addresses: z.array(addressShape).optional().describe('Addresses of a copy once it is published'),
    from: z.object({ backup: z.string(), taken: z.string(), reason: z.string() }),
    changes: z.array(z.string()).optional().describe('What differs from before: + added, - removed, ~ changed'),
    more: z.string().optional().describe('Changes not shown'),
    backup: z.string().optional().describe('Id of the backup of the previous state'),
    publication: publication.optional(),
    validation: validationShape.optional(),
    missing_credentials: z.array(z.string()).optional().describe('Nodes whose credential no longer exists'),
    notes: z.array(z.string()).optional(),
  }),
  examples: [
    { title: 'Undo the last change', arguments: { workflow: 'aB3xY9kLmN0pQrSt' } },
    {
      title: 'Restore a deleted workflow and publish it',
      arguments: { backup: 'default/aB3xY9kLmN0pQrSt/20261115T073012123Z-delete-3f9a1c', publish: true },
    },
  ],
  async run({ instance, backup: id, workflow, copy = false, name, publish = false, validate }, deps, { signal }) {
    const backup = await chosenBackup(deps.backups, { instance, backup: id, workflow });
    const client = deps.instances.get(instance ?? backup.instance);
    const guard = saveGuard(client, deps, signal, { mode: validate, publish, what: 'nothing was restored' });
    const done = await restore(client, deps.backups, backup, { copy, publish, name }, signal, guard.check);
    const addresses = done.how === 'copy' ? addressesOf(client.url, done.workflow) : [];
    return {
      restored: done.how,
      workflow: summaryOf(done.workflow),
      ...(addresses.length > 0 && { addresses }),
      from: { backup: backup.id, taken: backup.taken, reason: backup.reason },
      ...(done.before && shownChanges(describeDiff(diffWorkflows(done.before, done.workflow)))),
      ...(done.backup !== undefined && { backup: done.backup }),
      ...(done.publication && { publication: done.publication }),
      ...guard.told(),
      ...(done.missingCredentials.length > 0 && { missing_credentials: done.missingCredentials.slice(0, MOST_NAMED) }),
      ...(done.notes.length > 0 && { notes: [...done.notes] }),
    };
  },
});
