import type { N8nClient } from '../client/client.ts';
import type { N8nDeps } from '../tool.ts';

const MOST_NAMED = 10;

/**
 * Gives nodes without a version the newest one of their type in this n8n. n8n itself would also use the newest, but drop
 * parameters that are new in it. Nodes of an unknown type stay unchanged: the validator reports them.
 */
export async function withNewestVersions<T extends { name: string; type: string; typeVersion?: number | undefined }>(
  nodes: readonly T[],
  client: N8nClient,
  { catalogues }: Pick<N8nDeps, 'catalogues'>,
): Promise<{ nodes: T[]; lines: string[] }> {
  if (nodes.every(({ typeVersion }) => typeVersion !== undefined)) return { nodes: [...nodes], lines: [] };
  const catalogue = await catalogues.ready(client.name);
  const given: string[] = [];
  const whole = nodes.map((node) => {
    const latest = node.typeVersion === undefined ? catalogue.node(node.type)?.latest : undefined;
    if (latest === undefined) return node;
    given.push(`"${node.name}" ${latest}`);
    return { ...node, typeVersion: latest };
  });
  if (given.length === 0) return { nodes: whole, lines: [] };
  const more = given.length > MOST_NAMED ? ` and ${given.length - MOST_NAMED} more` : '';
  const line = `Nodes without a typeVersion got the newest of this n8n: ${given.slice(0, MOST_NAMED).join(', ')}${more}.`;
  return { nodes: whole, lines: [line] };
}
