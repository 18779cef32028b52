import type { Pgvector } from './connect.ts';
import { extensionOf } from './extension.ts';
import { tablesOf } from './tables.ts';

const MOST = 100;

/** The versions, and how many collections there are. */
export async function checkPgvector({ read, schema, collections }: Pgvector, signal: AbortSignal): Promise<string> {
  return await read(async (run) => {
    const extension = await extensionOf(run);
    const { rows } = await run<{ version: string }>(`SELECT current_setting('server_version') AS version`);
    const tables = await tablesOf(run, extension, { schema, limit: MOST });
    const count = tables.filter(({ name }) => collections.has(name)).length;
    const some = `${count}${tables.length === MOST ? ' or more' : ''} collection${count === 1 ? '' : 's'}`;
    return `pgvector ${extension.version} on PostgreSQL ${rows[0]?.version.split(' ')[0]}, ${some}`;
  }, signal);
}
