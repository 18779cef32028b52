import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { N8nClient } from '../../client/client.ts';
import { readAll } from '../../client/paging.ts';
import type { Workflow } from '../../client/shapes.ts';
import { listTables, type Table } from '../../find/data-tables.ts';
import { isGenerated } from '../../generated.ts';
import { isNotAllowed } from '../../credentials/known-credentials.ts';

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** What an import looks for in this n8n, each read at most once. */
export interface Here {
  /** Workflows with exactly this name, without archived ones and those that Sluice generated. */
  called(name: string): Promise<readonly Named[]>;
  /** The workflow with this id, if it is not archived. */
  workflow(id: string): Promise<Named | undefined>;
  /** Undefined if they cannot be listed. */
  tables(): Promise<readonly Table[] | undefined>;
  /** Names of variables; undefined if this n8n or the key does not list them. */
  variables(): Promise<ReadonlySet<string> | undefined>;
}

/** n8n allows no longer names and ids. */
const LONGEST_NAME = 128;
const LONGEST_ID = 36;

const variableShape = z.looseObject({ key: z.string() });

export function hereIn(client: N8nClient, signal: AbortSignal): Here {
  const names = new Map<string, Promise<Named[]>>();
  const ids = new Map<string, Promise<Named | undefined>>();
  let tables: Promise<Table[] | undefined> | undefined;
  let variables: Promise<ReadonlySet<string> | undefined> | undefined;
  return {
    called: (name) =>
      kept(names, name, async () => (await named(client, name, signal)).map(({ id }) => ({ id, name }))),
    workflow: (id) =>
      kept(ids, id, async () => {
        if (id.length > LONGEST_ID) return undefined;
        try {
          const found = await client.workflows.get(id, signal);
          return found.isArchived ? undefined : { id: found.id, name: found.name };
        } catch (error) {
          if (error instanceof AppError && error.code === 'not_found') return undefined;
          throw error;
        }
      }),
    tables: () => (tables ??= listTables(client, signal)),
    variables: () => (variables ??= variablesIn(client, signal)),
  };
}

function kept<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

async function named(client: N8nClient, name: string, signal: AbortSignal): Promise<Workflow[]> {
  if (name === '' || name.length > LONGEST_NAME) return [];
  const found = await Array.fromAsync(client.workflows.all({ name }, signal));
  return found.filter((one) => one.name === name && !one.isArchived && !isGenerated(one));
}

/** The community edition has no variables: n8n answers 403. */
async function variablesIn(client: N8nClient, signal: AbortSignal): Promise<ReadonlySet<string> | undefined> {
  try {
    const all = await Array.fromAsync(readAll(client.http, '/api/v1/variables', variableShape, {}, signal));
    return new Set(all.map(({ key }) => key));
  } catch (error) {
    if (isNotAllowed(error) || (error instanceof AppError && error.code === 'not_found')) return undefined;
    throw error;
  }
}
