import { AppError } from '../../../kernel/errors.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Workflow } from '../../client/shapes.ts';
import { listTables } from '../../find/data-tables.ts';
import { placesIn, type Pointing } from '../../mapping/places.ts';

/** A workflow that another one calls, or its error workflow. */
export interface Called {
  readonly id: string;
  readonly workflow: Workflow;
  readonly isError: boolean;
}

export interface CalledNames {
  readonly called: readonly Called[];
  nameOf(place: Pick<Pointing, 'kind' | 'id' | 'name'>): string | undefined;
}

const MOST_READ = 50;

/** Reads the workflows and data tables that a workflow refers to, for their current names. */
export async function calledNames(client: N8nClient, workflow: Workflow, signal: AbortSignal): Promise<CalledNames> {
  const places = placesIn(workflow);
  const ids = new Map<string, boolean>();
  for (const place of places) {
    if ((place.kind === 'sub-workflow' || place.kind === 'error workflow') && place.id !== undefined) {
      ids.set(place.id, (ids.get(place.id) ?? true) && place.kind === 'error workflow');
    }
  }
  const found = await Promise.all(
    [...ids].slice(0, MOST_READ).map(async ([id, isError]): Promise<Called[]> => {
      const called = id === workflow.id ? workflow : await readable(client, id, signal);
      return called ? [{ id, workflow: called, isError }] : [];
    }),
  );
  const called = found.flat();
  const names = new Map(called.map((one) => [one.id, one.workflow.name]));
  const tables = new Map(
    (places.some(({ kind }) => kind === 'data table') ? await listTables(client, signal) : undefined)?.map(
      ({ id, name }) => [id, name] as const,
    ),
  );
  return {
    called,
    nameOf: ({ kind, id = '', name }) => (kind === 'data table' ? tables : names).get(id) ?? name,
  };
}

/** Undefined if the workflow is gone, or if the key may not read it: then its cached name has to do. */
async function readable(client: N8nClient, id: string, signal: AbortSignal): Promise<Workflow | undefined> {
  try {
    return await client.workflows.get(id, signal);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return undefined;
    throw error;
  }
}
