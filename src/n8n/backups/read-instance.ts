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
  readonly tags: number;
  readonly credentials: number;
  readonly dataTables: number;
  readonly rows: number;
  /** What could not be read, and why. */
  readonly missing: string[];
}

/** How many workflows are asked for at once; n8n has other things to do. */
const AT_ONCE = 4;

/** Writes an n8n down as a whole, and each workflow by itself besides. */
export async function backUpInstance(
  client: N8nClient,
  backups: Backups,
  signal: AbortSignal,
  progress: Progress,
): Promise<InstanceBackup> {
  const missing: string[] = [];
  const counts = { workflows: 0, changed: 0, dataTables: 0, rows: 0 };
  const readable = async <T>(what: string, list: AsyncIterable<T>): Promise<T[]> => {
    try {
      return await Array.fromAsync(list);
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
      missing.push(`${what}: ${messageOf(error)}`);
      return [];
    }
  };

  // What we generated is made anew from the others.
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
        const { isNew } = await backups.take(client.name, workflow, 'asked');
        counts.workflows++;
        if (isNew) counts.changed++;
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
  return { note, ...counts, tags: tags.length, credentials: credentials.length, missing };
}

/** A list leaves some of a workflow out, so each is read by itself. One that was deleted meanwhile is not there. */
async function present(client: N8nClient, id: string, signal: AbortSignal): Promise<Workflow | undefined> {
  return client.workflows.get(id, signal).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
}

/** The key may not, or this n8n does not offer it: the rest is worth keeping nevertheless. */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof AppError && ['forbidden', 'unsupported', 'not_found'].includes(error.code);
