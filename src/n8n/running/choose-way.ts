import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Workflow } from '../client/shapes.ts';
import { liveVersion } from '../workflows/published.ts';
import { archived } from './refusals.ts';
import { type Trigger, triggersOf } from './triggers.ts';
import { byPreference, DRAFT } from './ways.ts';

export interface Chosen {
  readonly trigger: Trigger;
  /** Run the saved version, not the published one. */
  readonly isDraft: boolean;
}

export interface Wish {
  /** A kind of trigger, or `draft`. */
  readonly way?: string | undefined;
  /** Name of the node to start at. */
  readonly trigger?: string | undefined;
}

export interface Means {
  /** A login is configured, so drafts can be run. */
  readonly login: boolean;
  /** The runner exists, or may be created. */
  readonly runner: boolean;
}

/** The trigger to start at, or an error that says how to make the workflow runnable. */
export function chooseWay(workflow: Workflow, wish: Wish, means: Means): Chosen {
  if (workflow.isArchived) {
    throw new AppError('conflict', archived(titled(workflow)));
  }
  const published = liveVersion(workflow)?.nodes;
  if (wish.way === DRAFT || !published) return draft(workflow, wish, means, published !== undefined);

  const triggers = named(triggersOf(published), wish.trigger, workflow);
  const open = triggers
    .filter((trigger) => isOpen(trigger) && (wish.way === undefined || trigger.way.kind === wish.way))
    .sort(byPreference);
  // Prefer what works without the runner.
  const chosen = open.find((trigger) => !needsRunner(trigger)) ?? open[0];
  if (chosen && (means.runner || !needsRunner(chosen))) return { trigger: chosen, isDraft: false };
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
  const kindWanted = wish.way === DRAFT ? undefined : wish.way;
  if (kindWanted !== undefined && !isLive) {
    throw new AppError(
      'conflict',
      `${titled(workflow)} is not published, so its ${kindWanted} trigger does not answer. n8n_publish_workflow publishes it; way "draft" runs it as it is saved.`,
    );
  }
  const trigger = triggers.toSorted(byPreference)[0];
  if (!trigger) {
    throw new AppError(
      'invalid_input',
      `${titled(workflow)} has no trigger to start at. Add one with n8n_edit_workflow, for example n8n-nodes-base.manualTrigger.`,
    );
  }
  if (login) return { trigger, isDraft: true };
  throw new AppError('unsupported', `${titled(workflow)} was not run. ${unpublishedAdvice(triggers, isLive)}`);
}

function unpublishedAdvice(triggers: readonly Trigger[], isLive: boolean): string {
  const needsLogin = 'Running a draft needs a login to n8n: n8n.<name>.login { email, password } in the configuration.';
  if (isLive) return `${needsLogin} Without it, leave out "way" to run what is live.`;
  return triggers.some(({ way }) => way.outside)
    ? `It is not published: n8n_publish_workflow makes its trigger answer. ${needsLogin}`
    : `${needsLogin} Or give it a trigger that can be called from outside (webhook, form, chat, or "When Executed by Another Workflow") and publish it.`;
}

function advice(
  workflow: Workflow,
  chosen: Trigger | undefined,
  triggers: readonly Trigger[],
  { login }: Means,
  same: boolean,
): string {
  if (chosen && needsRunner(chosen)) {
    const runner =
      'Only another workflow can call it. Repeat with create_runner: true to let Sluice create a small workflow in n8n, "[sluice] runner", which calls it';
    return login
      ? `${runner}; or run the saved draft${same ? '' : ', which differs from what is live,'} with way: "draft".`
      : `${runner}; or configure a login to n8n (n8n.<name>.login) to run it as a draft.`;
  }
  if (!login) return `${listed(triggers)} ${unpublishedAdvice(triggers, true)}`;
  if (same) return listed(triggers);
  return `The live version starts only by itself (${triggers.map(({ way }) => way.kind).join(', ')}), and the draft of ${workflow.name} differs from it. way: "draft" runs the draft.`;
}

const isOpen = ({ node, way: { outside } }: Trigger): boolean =>
  outside !== undefined && (outside.isOpen?.(node) ?? true);

export const needsRunner = ({ way }: Trigger): boolean => way.outside?.needsRunner === true;

function named(triggers: readonly Trigger[], name: string | undefined, workflow: Workflow): readonly Trigger[] {
  if (name === undefined) return triggers;
  const found = triggers.filter(({ node }) => node.name === name);
  if (found.length > 0) return found;
  const near = nearestNames(
    name,
    triggers.map(({ node }) => node.name),
  );
  const meant = didYouMean(near, listed(triggers));
  throw new AppError('not_found', `${titled(workflow)} has no trigger ${shown(name)}. ${meant}`);
}

function listed(triggers: readonly Trigger[]): string {
  if (triggers.length === 0) return 'It has no trigger.';
  return `Its triggers: ${triggers.map(({ node, way }) => `${node.name} (${way.kind})`).join(', ')}.`;
}

const titled = ({ id, name }: Workflow): string => `Workflow "${name}" (${id})`;
