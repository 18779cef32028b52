import type { Found, FoundTrigger } from '../discover.ts';
import { chatWay } from './ways/chat.ts';
import { formWay } from './ways/form.ts';
import type { Runner } from '../../n8n/running/runner/align-runner.ts';
import { subWorkflowWay } from './ways/sub-workflow.ts';
import type { Unfit, Way } from './ways/way.ts';
import { webhookWay } from './ways/webhook.ts';

type Candidate = Pick<Found, 'id' | 'published' | 'archived' | 'trigger'>;

/** How a workflow is run as a tool, or why it cannot be. */
export function wayOf({ id, published, archived, trigger }: Candidate, runner: () => Runner): Way | Unfit {
  if (!trigger)
    return { reason: 'It has no trigger of the kind that can be called: sub-workflow, webhook, form or chat.' };
  if (archived) return { reason: 'It is archived.' };
  if (!published) return { reason: 'It is not published. Publish it in n8n, or with n8n_activate_workflow.' };
  return waysOf[trigger.kind]({ id }, trigger, runner);
}

const waysOf: Readonly<
  Record<FoundTrigger['kind'], (workflow: { id: string }, trigger: FoundTrigger, runner: () => Runner) => Way | Unfit>
> = {
  executeWorkflow: subWorkflowWay,
  webhook: (_, trigger) => webhookWay(trigger),
  form: (_, trigger) => formWay(trigger),
  chat: (_, trigger) => chatWay(trigger),
};

/** Why a chosen workflow is no tool, apart from what `sluice bridge apply` would do about it. */
export function whyNotRunnable(found: Candidate): string | undefined {
  const way = wayOf(found, () => ({ workflow: '', path: '', headers: {} }));
  return 'reason' in way ? way.reason : undefined;
}

/** Whether it needs the workflow that we generate to call others. */
export const needsRunner = ({ trigger }: Pick<Found, 'trigger'>): boolean => trigger?.kind === 'executeWorkflow';
