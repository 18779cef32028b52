import type { Workflow } from '../client/shapes.ts';
import { referencesIn } from '../credentials/references.ts';
import type { Day } from './day.ts';

/** Counts the workflows that are live, changed, failing or waiting. */
export function workflowsOf(
  all: readonly Workflow[],
  day: Day | undefined,
  failures: readonly { workflow: string; recovered?: boolean }[],
) {
  const present = all.filter(({ isArchived }) => !isArchived);
  const live = present.filter(({ active }) => active).length;
  const changed = present.filter(
    ({ active, activeVersionId, versionId }) => active && activeVersionId && activeVersionId !== versionId,
  );
  const failing = new Set(failures.filter(({ recovered }) => !recovered).map(({ workflow }) => workflow));
  return {
    total: present.length,
    live,
    not_live: present.length - live,
    unpublished_changes: changed.length,
    ...(day && { failing: failing.size, waiting: new Set(day.waiting.items.map((one) => one.workflowId)).size }),
    archived: all.length - present.length,
    unpublished: changed.map(({ id, name }) => ({ id, name })),
  };
}

/** Live workflows with a node whose credential came with an import as a name and was never chosen. */
export function neverChosen(workflows: readonly Workflow[]) {
  return workflows
    .filter((one) => one.active && !one.isArchived && referencesIn(one).some(({ id }) => id === undefined))
    .map(({ id, name }) => ({ id, name }));
}
