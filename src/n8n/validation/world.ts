import { AppError } from '../../kernel/errors.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import type { Purpose } from '../../validation/finding.ts';
import { calledBy, errorWorkflowOf } from '../../validation/instance-references.ts';
import { isRecord } from '../../validation/json/record.ts';
import type { NamedWorkflow, World } from '../../validation/subject/subject.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { isNotAllowed } from '../credentials/known-credentials.ts';
import { liveVersion } from '../workflows/published.ts';

export interface Surroundings {
  readonly world: World;
  /** Why something could not be compared. */
  readonly notes: readonly string[];
}

/** What the comparison is for. */
export interface Asking {
  readonly catalogue: Catalogue;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

type Named = NamedWorkflow | 'missing';

/** Look up at most this many called workflows: each costs a request to n8n. */
const MOST_NAMED = 20;

/**
 * Reads from n8n what the validator compares a workflow with: webhook paths of live workflows (unless it is only saved),
 * credentials, data tables and the workflows it calls. Reads each at most once, and only if the workflow uses such things.
 */
export function surroundings(client: N8nClient, { catalogue, purpose, signal }: Asking) {
  let workflows: Promise<World['workflows']> | undefined;
  let credentials: Promise<World['credentials']> | undefined;
  let tables: Promise<World['dataTables']> | undefined;
  const named = new Map<string, Promise<Named>>();
  const namedAs = (id: string) => {
    const known = named.get(id) ?? namedWorkflow(client, id, signal);
    named.set(id, known);
    return known;
  };

  return async (workflow: unknown, self?: string): Promise<Surroundings> => {
    const nodes = nodesOf(workflow);
    const notes: string[] = [];
    const asked = async <T>(what: string, list: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await list();
      } catch (error) {
        if (signal.aborted || !(error instanceof AppError)) throw error;
        notes.push(`Not compared with the ${what} of n8n (${client.name}): ${error.message}`);
        return undefined;
      }
    };
    const others =
      purpose !== 'save' && nodes.some((node) => opensAddress(node, catalogue))
        ? await asked('other workflows', () => (workflows ??= liveOnes(client, signal)))
        : undefined;
    const known = nodes.some(hasCredentials)
      ? await asked('credentials', () => (credentials ??= credentialsOf(client, signal)))
      : undefined;
    const ids = namedIn(workflow).filter((id) => id !== self);
    const called =
      ids.length > 0
        ? await asked(
            'workflows that it calls',
            async () => new Map(await Promise.all(ids.map(async (id) => [id, await namedAs(id)] as const))),
          )
        : undefined;
    const dataTables = nodes.some(usesTables)
      ? await asked('data tables', () => (tables ??= dataTablesOf(client, signal)))
      : undefined;
    return {
      world: {
        ...(self !== undefined && { self }),
        ...(others && { workflows: others }),
        ...(known && { credentials: known }),
        ...(called && { workflow: (id: string) => called.get(id) }),
        ...(dataTables && { dataTables }),
      },
      notes,
    };
  };
}

async function liveOnes(client: N8nClient, signal: AbortSignal): Promise<World['workflows']> {
  return othersOf(await Array.fromAsync(client.workflows.all({ active: true }, signal)));
}

/** Every workflow with the nodes of its live version, if it has one. */
export function othersOf(workflows: readonly Workflow[]): World['workflows'] {
  return workflows
    .filter(({ isArchived }) => !isArchived)
    .map((one) => ({ id: one.id, name: one.name, active: one.active, nodes: (liveVersion(one) ?? one).nodes }));
}

/** All credentials, from n8n's database if the key may not list them; undefined if that fails, too. */
export async function credentialsOf(client: N8nClient, signal: AbortSignal): Promise<World['credentials']> {
  try {
    return await Array.fromAsync(client.credentials.all(signal));
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    return client.credentialDatabase?.list(signal).catch(() => undefined);
  }
}

async function namedWorkflow(client: N8nClient, id: string, signal: AbortSignal): Promise<Named> {
  try {
    return namedAsOf(await client.workflows.get(id, signal));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return 'missing';
    throw error;
  }
}

function namedAsOf({ name, active, activeVersionId }: Workflow): NamedWorkflow {
  // An n8n without drafts runs whatever is saved.
  return { name, isPublished: active || activeVersionId === undefined };
}

/** A lookup by id, when all workflows are known. */
export function lookUpIn(workflows: readonly Workflow[]): (id: string) => Named {
  const byId = new Map(workflows.map((one) => [one.id, namedAsOf(one)]));
  return (id) => byId.get(id) ?? 'missing';
}

/** All data tables; undefined if the key may not list them or this n8n has no data tables yet. */
export async function dataTablesOf(client: N8nClient, signal: AbortSignal): Promise<World['dataTables']> {
  try {
    return await Array.fromAsync(client.dataTables.all(signal));
  } catch (error) {
    if (isNotAllowed(error) || (error instanceof AppError && error.code === 'not_found')) return undefined;
    throw error;
  }
}

/** Ids of the workflows that nodes call, and of the error workflow. */
function namedIn(workflow: unknown): string[] {
  const errors = isRecord(workflow) ? errorWorkflowOf(workflow) : undefined;
  const called = nodesOf(workflow).map((node) => calledBy(node)?.id);
  return [...new Set([errors, ...called].filter((id) => id !== undefined))].slice(0, MOST_NAMED);
}

function usesTables({ parameters }: Record<string, unknown>): boolean {
  return isRecord(parameters) && Object.hasOwn(parameters, 'dataTableId');
}

function nodesOf(workflow: unknown): readonly Record<string, unknown>[] {
  const nodes = isRecord(workflow) ? workflow.nodes : undefined;
  return Array.isArray(nodes) ? (nodes as unknown[]).filter(isRecord) : [];
}

/** Whether the node has a webhook URL: a webhook, form, chat, MCP or service trigger. */
function opensAddress({ type, typeVersion }: Record<string, unknown>, catalogue: Catalogue): boolean {
  if (typeof type !== 'string') return false;
  const version = typeof typeVersion === 'number' ? typeVersion : undefined;
  return (catalogue.description(type, version)?.webhooks?.length ?? 0) > 0;
}

function hasCredentials({ credentials }: Record<string, unknown>): boolean {
  return isRecord(credentials) && Object.keys(credentials).length > 0;
}
