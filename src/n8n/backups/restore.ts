import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { knownCredentials } from '../credentials/known-credentials.ts';
import { referencesIn } from '../credentials/references.ts';
import { describeDiff, diffWorkflows, isEmptyDiff } from '../diff/diff.ts';
import { assignTags, tagIds } from '../tags/names.ts';
import { writable } from '../workflows/body.ts';
import { changeWorkflow } from '../workflows/change.ts';
import { copiedNodes, sharedAddress } from '../workflows/copied-nodes.ts';
import { type Publication, publishSaved } from '../workflows/publish.ts';
import { publishedVersion } from '../workflows/published.ts';
import { UNSET } from '../workflows/settings.ts';
import type { Backup, Backups } from './backups.ts';
import { workflowPackage } from './package.ts';

export interface Wish {
  readonly copy: boolean;
  readonly publish: boolean;
  /** Name of the copy. */
  readonly name?: string | undefined;
}

export interface Restored {
  readonly how: 'in place' | 'brought back' | 'copy';
  readonly workflow: Workflow;
  /** The state before. Absent if the workflow did not exist. */
  readonly before?: Workflow;
  /** Id of the backup of that state. */
  readonly backup?: string;
  readonly publication?: Publication;
  /** Nodes whose credential does not exist. */
  readonly missingCredentials: readonly string[];
  readonly notes: readonly string[];
}

/** Restores a workflow from a backup: in place, under its old id if it was deleted, or as a copy. */
export async function restoreWorkflow(
  client: N8nClient,
  backups: Backups,
  { content }: Backup,
  wish: Wish,
  signal: AbortSignal,
  /** Throws if this content must not be restored. */
  check: (wanted: Workflow, before?: Workflow) => Promise<void> = async () => {},
): Promise<Restored> {
  const wanted = wish.publish ? asPublished(content) : content;
  const missing = await missingCredentials(client, content, signal);
  if (wish.copy) {
    const name = wish.name ?? `${content.name.slice(0, 115)} (restored)`;
    const { nodes, nodeGroups, shared } = copiedNodes(content);
    const copy = { ...content, name, nodes, nodeGroups };
    await check(copy);
    const made = await client.workflows.create(writable(copy));
    const notes = shared.length > 0 ? [sharedAddress(shared)] : [];
    return finish(client, made, content, { how: 'copy', publish: wish.publish, missing, notes }, signal);
  }
  return client.turns.take(content.id, async () => {
    const before = await client.workflows.get(content.id, signal).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return undefined;
      throw error;
    });
    await check(wanted, before);
    if (before) return inPlace(client, backups, before, content, wish.publish, missing, signal);
    return bringBack(client, content, wish.publish, missing, signal);
  });
}

async function inPlace(
  client: N8nClient,
  backups: Backups,
  before: Workflow,
  content: Workflow,
  publish: boolean,
  missing: string[],
  signal: AbortSignal,
): Promise<Restored> {
  let kept: string | undefined;
  if (before.isArchived) {
    kept = await backups.keep(client.name, before, 'restore');
    await client.workflows.unarchive(before.id);
  }
  const asked = { id: before.id, reason: 'restore' as const, signal };
  const { after, backup, foreign } = await changeWorkflow(client, { backups }, asked, () =>
    // n8n keeps a description that is not sent.
    ({ ...writable(publish ? asPublished(content) : content), description: content.description ?? '' }),
  );
  const notes = foreign.map(
    (version) => `Somebody else saved version ${version} at the same moment; it is in the history.`,
  );
  const cleared = clearedSettings(after.settings, content.settings);
  const now = cleared
    ? (await client.workflows.update(after.id, { ...writable(after), settings: cleared }, false)).workflow
    : after;
  const restored = await finish(client, now, content, { how: 'in place', publish, missing, notes }, signal);
  const id = backup ?? kept;
  return { ...restored, before, ...(id !== undefined && { backup: id }) };
}

/** Recreates a deleted workflow. Only a package import keeps the old id, and some keys may not import. */
async function bringBack(
  client: N8nClient,
  content: Workflow,
  publish: boolean,
  missing: string[],
  signal: AbortSignal,
): Promise<Restored> {
  const { staticData } = content;
  try {
    await client.packages.import(workflowPackage(content, new Date()));
  } catch (error) {
    if (!(error instanceof AppError) || !['not_found', 'forbidden', 'unsupported'].includes(error.code)) throw error;
    const made = await client.workflows.create({ ...writable(content), staticData });
    const notes = [
      `The old id ${content.id} could not be restored (${error.message}). The new id is ${made.id}: update whatever refers to the old one.`,
    ];
    return finish(client, made, content, { how: 'copy', publish, missing, notes }, signal);
  }
  // A package has no description, pinned data or static data.
  const body = writable(publish ? asPublished(content) : content);
  const { workflow } = await client.workflows.update(content.id, { ...body, staticData }, false);
  return finish(client, workflow, content, { how: 'brought back', publish, missing, notes: [] }, signal);
}

interface Finish {
  readonly how: Restored['how'];
  readonly publish: boolean;
  readonly missing: string[];
  readonly notes: string[];
}

/** Restores tags, the published version and the draft, then reports what n8n saved differently. */
async function finish(
  client: N8nClient,
  saved: Workflow,
  content: Workflow,
  { how, publish, missing, notes }: Finish,
  signal: AbortSignal,
): Promise<Restored> {
  const tagless = await tagged(client, saved, content, signal);
  if (tagless !== undefined) notes.push(tagless);
  const published = publish ? await publishSaved(client, saved, signal) : undefined;
  if (publish && how !== 'copy' && hasDraft(content)) {
    await client.workflows.update(saved.id, writable(content), false);
    notes.push('The version that was live is published again. The draft that differed from it is the draft again.');
  }
  const workflow = await client.workflows.get(saved.id, signal);
  if (how !== 'copy') {
    const left = describeDiff(diffWorkflows({ ...content, staticData: undefined }, workflow));
    if (left.length > 0) notes.push(`n8n saved some of it differently: ${left.slice(0, 5).join('; ').slice(0, 500)}`);
  }
  if (content.active && !workflow.active && !publish) {
    notes.push('It was live when it was backed up, but is not live now. n8n_publish_workflow publishes it.');
  }
  if (workflow.active && !publish && workflow.activeVersionId !== workflow.versionId) {
    notes.push('Restored as the draft. What is live stays unchanged until n8n_publish_workflow.');
  }
  return {
    how,
    workflow,
    ...(published && { publication: published.publication }),
    missingCredentials: missing,
    notes,
  };
}

/** Restores the tags. Returns a note if that fails. */
async function tagged(
  client: N8nClient,
  { id, tags }: Workflow,
  content: Workflow,
  signal: AbortSignal,
): Promise<string | undefined> {
  const wanted = (content.tags ?? []).map(({ name }) => name);
  if (wanted.length === 0 && (tags ?? []).length === 0) return undefined;
  try {
    await assignTags(client, id, await tagIds(client, wanted, true, signal));
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `Could not set its tags (${wanted.join(', ')}): ${error.message}`;
  }
}

/** The version that was live. The draft if none was, or if both are the same. */
function asPublished(content: Workflow): Workflow {
  const live = publishedVersion(content);
  return live && hasDraft(content) ? { ...content, ...live } : content;
}

function hasDraft(content: Workflow): boolean {
  const live = publishedVersion(content);
  return (
    live !== undefined && !isEmptyDiff(diffWorkflows(live, { nodes: content.nodes, connections: content.connections }))
  );
}

function clearedSettings(now: Workflow['settings'], wanted: Workflow['settings']): Record<string, unknown> | undefined {
  const keys = Object.keys(UNSET).filter((key) => {
    const present = now?.[key];
    return present !== undefined && present !== UNSET[key] && wanted?.[key] === undefined;
  });
  return keys.length > 0 ? Object.fromEntries(keys.map((key) => [key, UNSET[key]])) : undefined;
}

async function missingCredentials(client: N8nClient, content: Workflow, signal: AbortSignal): Promise<string[]> {
  const named = referencesIn(content).filter(({ id, publishedOnly }) => id !== undefined && !publishedOnly);
  if (named.length === 0) return [];
  const known = await knownCredentials(client, signal).catch(() => undefined);
  if (!known || known.source === 'workflows') return [];
  const ids = new Set(known.credentials.map(({ id }) => id));
  return named
    .filter(({ id }) => !ids.has(id as string))
    .map(({ node, type, name, id }) => `${node}: ${type} "${name}" (${id})`);
}
