import { AppError } from '../../kernel/errors.ts';
import { nearestNames } from '../../kernel/nearest-names.ts';
import type { Workflow } from '../client/shapes.ts';
import { isPublicChat, publishedNodes, type Trigger, type TriggerKind, triggersOf, webhookPath } from './triggers.ts';

export const ways = ['webhook', 'form', 'chat', 'sub-workflow', 'draft'] as const;

/** How a workflow is set going. */
export type Way = (typeof ways)[number];

export interface Chosen {
  readonly way: Way;
  readonly trigger: Trigger;
}

export interface Wish {
  readonly way?: Way | undefined;
  /** Name of the node to begin at. */
  readonly trigger?: string | undefined;
}

export interface Means {
  /** We may sign in, and so run drafts. */
  readonly login: boolean;
  /** There is, or may be made, the workflow that calls sub-workflows. */
  readonly runner: boolean;
}

// What needs least comes first: a webhook answers by itself, a sub-workflow needs another workflow to call it.
const outside: readonly TriggerKind[] = ['webhook', 'chat', 'form', 'sub-workflow'];
const inside: readonly TriggerKind[] = ['manual', 'sub-workflow', 'webhook', 'chat', 'form', 'schedule', 'other'];

/** The way that works for this workflow, or an error that says what would make one. */
export function chooseWay(workflow: Workflow, wish: Wish, means: Means): Chosen {
  if (workflow.isArchived) {
    throw new AppError('conflict', `${titled(workflow)} is archived. n8n_unarchive_workflow brings it back.`);
  }
  const published = publishedNodes(workflow);
  if (wish.way === 'draft' || !published) return draft(workflow, wish, means, published !== undefined);

  const triggers = named(triggersOf(published), wish.trigger, workflow);
  const usable = outside
    .flatMap((kind) => triggers.filter((trigger) => trigger.kind === kind && isUsable(trigger)))
    .filter(({ kind }) => wish.way === undefined || kind === wish.way);
  const chosen = usable.find(({ kind }) => kind !== 'sub-workflow' || means.runner) ?? usable[0];
  if (chosen && (chosen.kind !== 'sub-workflow' || means.runner)) return { way: chosen.kind as Way, trigger: chosen };
  if (wish.way !== undefined && !chosen) {
    throw new AppError(
      'invalid_input',
      `${titled(workflow)} has no ${wish.way} trigger that is live. ${listed(triggers)}`,
    );
  }
  const same = !workflow.activeVersionId || workflow.activeVersionId === workflow.versionId;
  if (wish.way === undefined && means.login && same) return draft(workflow, wish, means, true);
  throw new AppError(
    'unsupported',
    `${titled(workflow)} was not run. ${advice(workflow, chosen, triggers, means, same)}`,
  );
}

function draft(workflow: Workflow, wish: Wish, { login }: Means, isLive: boolean): Chosen {
  const triggers = named(triggersOf(workflow.nodes), wish.trigger, workflow);
  const kindWanted = wish.way === 'draft' ? undefined : wish.way;
  if (kindWanted !== undefined && !isLive) {
    throw new AppError(
      'conflict',
      `${titled(workflow)} is not published, so its ${kindWanted} trigger does not answer. n8n_activate_workflow publishes it; way "draft" runs it as it is saved.`,
    );
  }
  const trigger = inside.flatMap((kind) => triggers.filter((one) => one.kind === kind))[0];
  if (!trigger) {
    throw new AppError(
      'invalid_input',
      `${titled(workflow)} has no trigger to begin at. Add one with n8n_edit_workflow, such as n8n-nodes-base.manualTrigger.`,
    );
  }
  if (login) return { way: 'draft', trigger };
  throw new AppError('unsupported', `${titled(workflow)} was not run. ${unpublishedAdvice(triggers, isLive)}`);
}

function unpublishedAdvice(triggers: readonly Trigger[], isLive: boolean): string {
  const needsLogin = 'Running a draft needs a login to n8n: n8n.<name>.login { email, password } in the configuration.';
  if (isLive) return `${needsLogin} Without it, leave out "way" to run what is live.`;
  return triggers.some(({ kind }) => outside.includes(kind))
    ? `It is not published: n8n_activate_workflow makes its trigger answer. ${needsLogin}`
    : `${needsLogin} Or give it a trigger that can be called from outside (webhook, form, chat, or "When Executed by Another Workflow") and publish it.`;
}

function advice(
  workflow: Workflow,
  chosen: Trigger | undefined,
  triggers: readonly Trigger[],
  { login }: Means,
  same: boolean,
): string {
  if (chosen?.kind === 'sub-workflow') {
    const runner =
      'It is made to be called by another workflow: repeat with create_runner: true to let Sluice write a small workflow, "[sluice] runner", into n8n, which calls it';
    return login
      ? `${runner}; or run the saved draft${same ? '' : ', which differs from what is live,'} with way: "draft".`
      : `${runner}; or configure a login to n8n (n8n.<name>.login) to run it as a draft.`;
  }
  if (!login) return `${listed(triggers)} ${unpublishedAdvice(triggers, true)}`;
  if (same) return listed(triggers);
  return `What is live can only begin by itself (${triggers.map(({ kind }) => kind).join(', ')}), and the draft of ${workflow.name} differs from it: way: "draft" runs the draft.`;
}

const isUsable = (trigger: Trigger): boolean =>
  trigger.kind === 'chat' ? isPublicChat(trigger) : trigger.kind !== 'webhook' || webhookPath(trigger) !== undefined;

function named(triggers: readonly Trigger[], name: string | undefined, workflow: Workflow): readonly Trigger[] {
  if (name === undefined) return triggers;
  const found = triggers.filter((trigger) => trigger.name === name);
  if (found.length > 0) return found;
  const near = nearestNames(
    name,
    triggers.map((trigger) => trigger.name),
  );
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ` ${listed(triggers)}`;
  throw new AppError('not_found', `${titled(workflow)} has no trigger ${name.slice(0, 100)}.${meant}`);
}

function listed(triggers: readonly Trigger[]): string {
  if (triggers.length === 0) return 'It has no trigger.';
  return `Its triggers: ${triggers.map(({ name, kind }) => `${name} (${kind})`).join(', ')}.`;
}

const titled = ({ id, name }: Workflow): string => `Workflow "${name}" (${id})`;
