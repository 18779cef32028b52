import type { Outside, Target, ToolCall, Unfit } from '../../n8n/running/way.ts';
import { wayOf } from '../../n8n/running/ways.ts';
import type { Found, FoundTrigger } from '../discover.ts';

type Candidate = Pick<Found, 'id' | 'name' | 'published' | 'archived' | 'trigger'>;

/** How to call a workflow as a tool, or why that is impossible. */
export function toolCallOf(
  { id, name, published, archived, trigger }: Candidate,
  runner: Target['runner'],
): ToolCall | Unfit {
  const outside = trigger && outsideOf(trigger);
  if (!outside) return { reason: 'It has no trigger that can be called: sub-workflow, webhook, form or chat.' };
  if (archived) return { reason: 'It is archived.' };
  if (!published) return { reason: 'It is not published. Publish it in n8n, or with n8n_publish_workflow.' };
  const { node, pinned } = trigger;
  return outside.tool({ node, example: firstItem(pinned) }, { workflow: { id, name }, runner });
}

export const outsideOf = ({ node }: FoundTrigger): Outside | undefined => wayOf(node)?.outside;

/** The data of the first pinned item. */
export function firstItem(pinned: unknown): unknown {
  const [item] = (Array.isArray(pinned) ? pinned : []) as unknown[];
  return (item as { json?: unknown } | undefined)?.json ?? item;
}

/** Why a chosen workflow cannot be a tool. Ignores a missing runner, which `sluice bridge apply` creates. */
export function whyNotRunnable(found: Candidate): string | undefined {
  const call = toolCallOf(found, () => ({ workflow: '', path: '', headers: {} }));
  return 'reason' in call ? call.reason : undefined;
}

/** Whether calls need the generated runner. */
export const needsRunner = ({ trigger }: Pick<Found, 'trigger'>): boolean =>
  trigger !== undefined && outsideOf(trigger)?.needsRunner === true;
