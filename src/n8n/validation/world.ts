import { AppError } from '../../kernel/errors.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import type { Purpose } from '../../validation/finding.ts';
import { isRecord } from '../../validation/record.ts';
import type { World } from '../../validation/subject.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { isNotAllowed } from '../credentials/known-credentials.ts';
import { publishedNodes } from '../executions/triggers.ts';

export interface Surroundings {
  readonly world: World;
  /** Why something could not be compared. */
  readonly notes: readonly string[];
}

/** For whom it is asked. */
export interface Asking {
  readonly catalogue: Catalogue;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

/**
 * What else is on an n8n, asked for once a call and only where the workflow has something to compare: addresses with
 * the live workflows, which matters to whoever wants to go live, and credentials with those that exist.
 */
export function surroundings(client: N8nClient, { catalogue, purpose, signal }: Asking) {
  let workflows: Promise<World['workflows']> | undefined;
  let credentials: Promise<World['credentials']> | undefined;

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
    return {
      world: {
        ...(self !== undefined && { self }),
        ...(others && { workflows: others }),
        ...(known && { credentials: known }),
      },
      notes,
    };
  };
}

async function liveOnes(client: N8nClient, signal: AbortSignal): Promise<World['workflows']> {
  return othersOf(await Array.fromAsync(client.workflows.all({ active: true }, signal)));
}

/** Of a live one, what is live. */
export function othersOf(workflows: readonly Workflow[]): World['workflows'] {
  return workflows
    .filter(({ isArchived }) => !isArchived)
    .map((one) => ({ id: one.id, name: one.name, active: one.active, nodes: publishedNodes(one) ?? one.nodes }));
}

/** All of them; a key that may not list them leaves it open which there are. */
export async function credentialsOf(client: N8nClient, signal: AbortSignal): Promise<World['credentials']> {
  try {
    return await Array.fromAsync(client.credentials.all(signal));
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    return client.credentialDatabase?.list(signal).catch(() => undefined);
  }
}

function nodesOf(workflow: unknown): readonly Record<string, unknown>[] {
  const nodes = isRecord(workflow) ? workflow.nodes : undefined;
  return Array.isArray(nodes) ? (nodes as unknown[]).filter(isRecord) : [];
}

/** Something from outside reaches it: a webhook, a form, a chat, an MCP endpoint, or a trigger of a service. */
function opensAddress({ type, typeVersion }: Record<string, unknown>, catalogue: Catalogue): boolean {
  if (typeof type !== 'string') return false;
  const version = typeof typeVersion === 'number' ? typeVersion : undefined;
  return (catalogue.description(type, version)?.webhooks?.length ?? 0) > 0;
}

function hasCredentials({ credentials }: Record<string, unknown>): boolean {
  return isRecord(credentials) && Object.keys(credentials).length > 0;
}
