import type { N8nClient } from '../client/client.ts';

const FRESH_MS = 60_000;
const AT_ONCE = 5;
const MOST = 2000;

const known = new WeakMap<N8nClient, Map<string, { name: string; at: number }>>();

/** The names of workflows by id, cached for a minute. Leaves out a workflow that cannot be read. */
export async function workflowNames(
  client: N8nClient,
  ids: Iterable<string>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  let cache = known.get(client);
  if (!cache) known.set(client, (cache = new Map()));
  if (cache.size > MOST) cache.clear();
  const now = Date.now();
  const wanted = [...new Set(ids)];
  const missing = wanted.filter((id) => now - (cache.get(id)?.at ?? 0) > FRESH_MS);
  const ask = async (): Promise<void> => {
    for (let id = missing.pop(); id !== undefined; id = missing.pop()) {
      const found = await client.workflows.get(id, signal).catch(() => undefined);
      if (found) cache.set(id, { name: found.name, at: now });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return new Map(wanted.flatMap((id) => (cache.has(id) ? [[id, cache.get(id)?.name as string]] : [])));
}
