import { collectionsAnswer } from './answers.ts';
import type { Qdrant } from './connection.ts';

/** Such as `Qdrant 1.15.0, 3 collections`. */
export async function check(qdrant: Qdrant, signal: AbortSignal): Promise<string> {
  const [{ version }, { collections }] = await Promise.all([
    qdrant.version({ signal }),
    qdrant.ask(collectionsAnswer, '/collections', { signal }),
  ]);
  return `Qdrant ${version.slice(0, 40)}, ${collections.length} collections`;
}
