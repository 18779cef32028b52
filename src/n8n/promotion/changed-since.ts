import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { isNotAllowed } from '../credentials/known-credentials.ts';
import { placesIn } from '../mapping/places.ts';
import { contentHash } from './compose.ts';
import type { JournalStep } from './records.ts';
import { readWorkflows, type Workflows } from './side.ts';
import { isMadeBy, liveVersionOf, type Step, tagNames } from './step.ts';

/** What somebody did since a promotion with the things that undoing it would delete or reset. */
export async function changedSince(
  client: N8nClient,
  steps: readonly JournalStep[],
  signal: AbortSignal,
): Promise<string[]> {
  const now = await readWorkflows(client, signal);
  const own = new Set(
    steps.flatMap(({ step }) => {
      if (step.kind === 'create') return now.all.filter((one) => isMadeBy(step, one)).map(({ id }) => id);
      return 'id' in step && step.id !== undefined ? [step.id] : [];
    }),
  );
  const found = await Promise.all(
    // What a crash interrupted is not known well enough to be compared.
    steps
      .filter(({ state }) => state === 'done')
      .map(({ step }) => changeOf(step, { client, now, own, steps, signal })),
  );
  return [...new Set(found.flat())];
}

interface Around {
  readonly client: N8nClient;
  readonly now: Workflows;
  /** Ids of what the promotion made or changed. */
  readonly own: ReadonlySet<string>;
  readonly steps: readonly JournalStep[];
  readonly signal: AbortSignal;
}

async function changeOf(step: Step, around: Around): Promise<string[]> {
  switch (step.kind) {
    case 'create':
    case 'update':
      return workflowChange(step, around);
    case 'credential':
      return credentialChange(step, around);
    case 'data table':
      return tableChange(step, around);
    case 'tag':
      return tagChange(step, around);
    case 'publish':
      return publishChange(step, around);
  }
}

function workflowChange(step: Step & { kind: 'create' | 'update' }, { now, own, steps }: Around): string[] {
  const { id, name, kind } = step;
  const workflow = now.byId.get(id ?? '');
  // A created workflow that somebody deleted needs no undoing.
  if (!workflow) return kind === 'update' ? [`"${name}" was deleted`] : [];
  if (contentHash(workflow) !== step.written) return [`"${name}" was changed`];
  if (kind === 'update' && step.tags && !isDeepStrictEqual(tagNames(workflow), step.tags)) {
    return [`"${name}" has other tags`];
  }
  // If it was published, too, that step compares what is live.
  const isPublished = steps.some((one) => one.step.kind === 'publish' && one.step.id === id);
  const live = kind === 'create' ? null : step.live;
  if (!isPublished && live !== undefined) {
    const change = liveChange(name, workflow, live);
    if (change.length > 0) return change;
  }
  if (kind === 'update') return [];
  const users = usersOf(now, own, (place) => 'id' in place && place.kind !== 'credential' && place.id === id);
  return users.length > 0 ? [`"${name}" is now used by ${users.join(', ')}`] : [];
}

function publishChange({ id, name, version }: Step & { kind: 'publish' }, { now }: Around): string[] {
  const workflow = now.byId.get(id);
  return workflow && version !== undefined ? liveChange(name, workflow, version) : [];
}

/** Undoing would take down what somebody published, or bring back what somebody took down. */
function liveChange(name: string, workflow: Workflow, expected: string | null): string[] {
  const live = liveVersionOf(workflow);
  if (live === expected) return [];
  return [`"${name}" was ${live === null ? 'taken down' : 'published'}`];
}

async function credentialChange(
  { id, name, updatedAt }: Step & { kind: 'credential' },
  { client, now, own, signal }: Around,
): Promise<string[]> {
  const users = usersOf(now, own, (place) => place.kind === 'credential' && place.id === id);
  if (users.length > 0) return [`the credential "${name}" is now used by ${users.join(', ')}`];
  try {
    const credential = await client.credentials.get(id, signal);
    return updatedAt !== undefined && credential.updatedAt !== updatedAt
      ? [`the credential "${name}" was filled in`]
      : [];
  } catch (error) {
    return unreadable(error, `the credential "${name}" may have been filled in`);
  }
}

async function tableChange(
  { id, name }: Step & { kind: 'data table' },
  { client, now, own, signal }: Around,
): Promise<string[]> {
  if (id === undefined) return [];
  const users = usersOf(now, own, (place) => place.kind === 'data table' && (place.id === id || place.name === name));
  if (users.length > 0) return [`the data table "${name}" is now used by ${users.join(', ')}`];
  try {
    for await (const _ of client.dataTables.rows(id, signal)) return [`the data table "${name}" has rows now`];
    return [];
  } catch (error) {
    return unreadable(error, `the data table "${name}" may have rows now`);
  }
}

function tagChange({ id, name }: Step & { kind: 'tag' }, { now, own }: Around): string[] {
  const users = now.all.filter((one) => !own.has(one.id) && one.tags?.some((tag) => tag.id === id));
  return users.length > 0 ? [`the tag "${name}" is now used by ${users.slice(0, 3).map(nameOf).join(', ')}`] : [];
}

/** Workflows beyond the promotion that use something of it. */
function usersOf(
  { all }: Workflows,
  own: ReadonlySet<string>,
  uses: (place: ReturnType<typeof placesIn>[number]) => boolean,
) {
  return all
    .filter((one) => !own.has(one.id) && placesIn(one).some(uses))
    .slice(0, 3)
    .map(nameOf);
}

const nameOf = ({ name }: { name: string }): string => `"${name}"`;

/** What is gone was not changed. What the key may not read may have been. */
function unreadable(error: unknown, what: string): string[] {
  if (error instanceof AppError && error.code === 'not_found') return [];
  if (isNotAllowed(error)) return [`${what} (the API key may not read that)`];
  throw error;
}
