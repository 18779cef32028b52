import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import { readAll } from '../client/paging.ts';
import type { Credential, Tag, Workflow } from '../client/shapes.ts';
import { isNotAllowed, knownCredentials } from '../credentials/known-credentials.ts';
import { isGenerated } from '../generated.ts';
import { allTags } from '../tags/names.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
}

export interface DataTable {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly Column[];
}

/** The workflows of an instance. n8n's list has everything but descriptions, and here no pinned data. */
export interface Workflows {
  readonly client: N8nClient;
  readonly all: readonly Workflow[];
  readonly byId: ReadonlyMap<string, Workflow>;
  /** Ids of the workflows that Sluice generated. They are not in `all`. */
  readonly generated: ReadonlySet<string>;
}

export async function readWorkflows(client: N8nClient, signal: AbortSignal): Promise<Workflows> {
  const every = await Array.fromAsync(client.workflows.all({}, signal));
  const all = every.filter((one) => !isGenerated(one));
  return {
    client,
    all,
    byId: new Map(all.map((one) => [one.id, one])),
    generated: new Set(every.filter(isGenerated).map(({ id }) => id)),
  };
}

/** What else workflows use. */
export interface Stock {
  readonly credentials: readonly Credential[];
  /** Whether those are all credentials. Otherwise they are the ones that workflows use. */
  readonly knowsCredentials: boolean;
  /** Undefined if n8n does not list them. */
  readonly tables: readonly DataTable[] | undefined;
  readonly variables: readonly string[] | undefined;
  readonly tags: readonly Tag[];
  readonly notes: readonly string[];
}

export interface Needs {
  readonly credentials: boolean;
  readonly tables: boolean;
  readonly variables: boolean;
  readonly tags: boolean;
}

const columnShape = z.looseObject({ name: z.string(), type: z.string() });
const variableShape = z.looseObject({ key: z.string() });

/** Reads only the lists that are needed. */
export async function readStock({ client, all }: Workflows, needs: Needs, signal: AbortSignal): Promise<Stock> {
  const [credentials, tables, variables, tags] = await Promise.all([
    needs.credentials ? knownCredentials(client, signal, all) : undefined,
    needs.tables ? unlessRefused(tablesOf(client, signal)) : undefined,
    needs.variables ? unlessRefused(variablesOf(client, signal)) : undefined,
    needs.tags ? allTags(client, signal) : [],
  ]);
  const notes = [
    ...(credentials?.note === undefined ? [] : [`${client.name}: ${credentials.note}`]),
    ...(needs.tables && !tables
      ? [`n8n (${client.name}) does not list data tables, so they could not be checked.`]
      : []),
    ...(needs.variables && !variables
      ? [`n8n (${client.name}) does not list variables (licence or key), so they could not be checked.`]
      : []),
  ];
  return {
    credentials: credentials?.credentials ?? [],
    knowsCredentials: credentials?.source !== 'workflows',
    tables,
    variables,
    tags,
    notes,
  };
}

async function tablesOf(client: N8nClient, signal: AbortSignal): Promise<DataTable[]> {
  const tables = await Array.fromAsync(client.dataTables.all(signal));
  return tables.map(({ id, name, columns }) => ({
    id,
    name,
    columns: columns.flatMap((column) => columnShape.safeParse(column).data ?? []).map(columnOf),
  }));
}

const columnOf = ({ name, type }: Column): Column => ({ name, type });

async function variablesOf(client: N8nClient, signal: AbortSignal): Promise<string[]> {
  const variables = await Array.fromAsync(readAll(client.http, '/api/v1/variables', variableShape, {}, signal));
  return variables.map(({ key }) => key);
}

/** The licence, the key or the age of an n8n may forbid a list. That must not stop anything. */
async function unlessRefused<T>(list: Promise<T>): Promise<T | undefined> {
  try {
    return await list;
  } catch (error) {
    if (isNotAllowed(error) || (error instanceof AppError && error.code === 'not_found')) return undefined;
    throw error;
  }
}
