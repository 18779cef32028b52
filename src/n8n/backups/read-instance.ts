import { AppError, messageOf } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { GENERATED_TAG, isGenerated, isGeneratedCredential } from '../generated.ts';
import type { Backups, InstanceNote } from './backups.ts';

export interface InstanceBackup {
  readonly note: InstanceNote;
  readonly workflows: number;
  /** How many of them have changed since their last backup. */
  readonly changed: number;
  /** The backups of those that changed. */
  readonly fresh: readonly string[];
  readonly tags: number;
  readonly credentials: number;
  readonly dataTables: number;
  readonly rows: number;
  /** What could not be read, and why. */
  readonly missing: string[];
}

/** Read only a few workflows at once, to keep n8n responsive. */
const AT_ONCE = 4;

/** Backs up a whole n8n, and also each workflow on its own. */
export async function backUpInstance(
  client: N8nClient,
  backups: Backups,
  signal: AbortSignal,
  progress: Progress,
): Promise<InstanceBackup> {
  const missing: string[] = [];
  const fresh: string[] = [];
  const counts = { workflows: 0, dataTables: 0, rows: 0 };
  const readable = async <T>(what: string, list: AsyncIterable<T>): Promise<T[]> => {
    try {
      return await Array.fromAsync(list);
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
      missing.push(`${what}: ${messageOf(error)}`);
      return [];
    }
  };

  // Sluice can generate its own workflows, tag and credentials again.
  const ids = (await Array.fromAsync(client.workflows.all({}, signal)))
    .filter((one) => !isGenerated(one))
    .map(({ id }) => id);
  const tags = (await readable('tags', client.tags.all(signal))).filter(({ name }) => name !== GENERATED_TAG);
  const credentials = (await readable('credentials', client.credentials.all(signal)))
    .filter((one) => !isGeneratedCredential(one))
    .map(({ id, name, type }) => ({ id, name, type }));
  const tables = await readable('data tables', client.dataTables.all(signal));

  async function* workflows(): AsyncGenerator<Workflow> {
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const some = await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => present(client, id, signal)));
      for (const workflow of some) {
        if (!workflow) continue;
        const { id, isNew } = await backups.take(client.name, workflow, 'asked');
        counts.workflows++;
        if (isNew) fresh.push(id);
        yield workflow;
      }
      progress(Math.min(at + AT_ONCE, ids.length), ids.length, 'workflows');
    }
  }

  async function* rowsOf(table: { id: string; name: string }): AsyncGenerator {
    try {
      for await (const row of client.dataTables.rows(table.id, signal)) {
        counts.rows++;
        yield row;
      }
    } catch (error) {
      if (await isGone(client, table.id, error)) return;
      if (!isOutOfReach(error)) throw error;
      missing.push(`rows of the data table ${table.name}: ${messageOf(error)}`);
    }
  }

  async function* dataTables() {
    for (const table of tables) {
      counts.dataTables++;
      yield { table, rows: rowsOf(table) };
    }
  }

  const note = await backups.keepInstance(client.name, {
    tags,
    credentials,
    workflows: workflows(),
    dataTables: dataTables(),
  });
  return { note, ...counts, changed: fresh.length, fresh, tags: tags.length, credentials: credentials.length, missing };
}

/** n8n's list leaves parts of a workflow out, so read each one. Undefined if it was deleted meanwhile. */
async function present(client: N8nClient, id: string, signal: AbortSignal): Promise<Workflow | undefined> {
  return client.workflows.get(id, signal).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
}

/** Whether rows could not be read because the table was deleted meanwhile. n8n may then answer "Internal server error". */
async function isGone(client: N8nClient, table: string, error: unknown): Promise<boolean> {
  if (!(error instanceof AppError) || !['not_found', 'internal'].includes(error.code)) return false;
  const found = await client.dataTables.get(table).catch((thrown: unknown) => thrown);
  return found instanceof AppError && found.code === 'not_found';
}

/** The key lacks a scope, or this n8n lacks the feature: back up the rest. */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof AppError && ['forbidden', 'unsupported', 'not_found'].includes(error.code);
