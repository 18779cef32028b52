import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { describeDiff, diffWorkflows } from '../diff/diff.ts';
import { sameArguments } from '../../kernel/tool.ts';
import { n8nTool } from '../tool.ts';
import { saveGuard, validateInput, validationShape } from '../validation/on-save.ts';
import { existingWorkflow } from './existing.ts';
import { idInput } from './id-input.ts';
import { shownChanges } from './outcome.ts';
import { publication, publishWorkflow as publish } from './publish.ts';
import { publishedVersion } from './published.ts';
import { summaryOf, workflowSummary } from './summary.ts';
import { versionOf } from './version.ts';

export const publishWorkflow = n8nTool({
  name: 'n8n_publish_workflow',
  aliases: { n8n_activate_workflow: sameArguments },
  title: 'Publish workflow',
  description:
    'Publishes the draft of a workflow (or an earlier version) and waits until its triggers are live. If already live, the draft replaces the live version; the answer shows what changed.',
  effect: 'update',
  phrases:
    'activate a workflow; turn on a workflow; switch it on; make it live; publish the draft; enable a workflow; put it into production; deploy my changes; start listening for the trigger; go live; bring it online; release a version; let it run by itself on schedule; resume a paused automation; publish an earlier version; start the workflow permanently; let the schedule run; put my changes online; switch a workflow back on; publish the new version; set it to active; my edits are not live yet; roll out a workflow; make the webhook reachable; reactivate; i am happy with it, ship it; from now on it should run on its own; release it; start using it for real; the new version should take effect; bring it into service; make the changes count; launch the automation; it is ready, turn it on; unpause; set live; let my changes take effect; start the scheduled flow again; deploy the newest draft; it should begin to work now; make this version the live one; begin reacting to events; arm the trigger; go to production; workflow should be active; switch live; make my draft public',
  tags: ['workflows'],
  input: {
    id: idInput,
    version: z.string().optional().describe('A version from the history. Default: the draft'),
    validate: validateInput,
  },
  output: z.object({
    workflow: workflowSummary,
    publication,
    changes: z.array(z.string()).optional().describe('What changed in the live version'),
    more: z.string().optional(),
    validation: validationShape.optional(),
  }),
  async run({ id, version, validate }, deps, { signal }) {
    const { client } = deps;
    return client.turns.take(id, async () => {
      const before = await existingWorkflow(client, id, signal);
      if (before.isArchived) {
        throw new AppError(
          'conflict',
          `"${before.name}" is archived. First call n8n_archive_workflow with "archived": false.`,
        );
      }
      const target = version ?? before.versionId ?? undefined;
      const was = publishedVersion(before);
      if (before.active && target !== undefined && before.activeVersionId === target) {
        const note = 'This version is already published; nothing was changed.';
        return { workflow: summaryOf(before), publication: { published: true, note } };
      }
      const guard = saveGuard(client, deps, signal, { mode: validate, publish: true, what: 'nothing was published' });
      const draft =
        version === undefined ? before : { ...before, ...(await versionOf(client, before, version, signal)) };
      await guard.check(draft, before);
      const { workflow, publication: published } = await publish(client, before, signal, version);
      const now = publishedVersion(workflow);
      return {
        workflow: summaryOf({ ...workflow, tags: before.tags }),
        publication: published,
        ...guard.told(),
        ...(was && now && shownChanges(describeDiff(diffWorkflows(was, now)))),
      };
    });
  },
});
