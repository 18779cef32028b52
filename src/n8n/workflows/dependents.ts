import { counted, quoted, someOf } from '../../kernel/some-of.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { isNotAllowed } from '../credentials/known-credentials.ts';
import { dependenciesOf } from '../find/dependencies.ts';
import { scanWorkflows } from '../find/scan.ts';

/** A workflow for use in a sentence: `"Orders" (aB3xY9kLmN0pQrSt, live)`. */
export const namedWorkflow = ({ id, name, active }: Pick<Workflow, 'id' | 'name' | 'active'>): string =>
  `${quoted(name)} (${id}${active ? ', live' : ''})`;

/** A sentence that says who uses these workflows, to show before they are deleted. */
export async function whoDepends(
  client: N8nClient,
  workflows: readonly Workflow[],
  signal: AbortSignal,
): Promise<string> {
  const all = await scanWorkflows(client, signal).catch((error: unknown) => {
    if (isNotAllowed(error)) return undefined;
    throw error;
  });
  const it = workflows.length === 1 ? 'it' : 'them';
  if (!all) return `Other workflows may use ${it}: the API key may not list workflows.`;
  const gone = new Set(workflows.map(({ id }) => id));
  const users = new Map<string, { workflow: Workflow; kinds: Set<string> }>();
  for (const workflow of workflows) {
    for (const { workflow: user, reference } of dependenciesOf({ kind: 'workflow', workflow }, all).usedBy) {
      if (gone.has(user.id)) continue;
      const known = users.get(user.id) ?? { workflow: user, kinds: new Set() };
      users.set(user.id, known);
      known.kinds.add(reference.kind);
    }
  }
  if (users.size === 0) return `No other workflow uses ${it}.`;
  const named = [...users.values()]
    .sort((a, b) => Number(b.workflow.active) - Number(a.workflow.active))
    .map(({ workflow, kinds }) => `${namedWorkflow(workflow)} as ${[...kinds].join(' and ')}`);
  return `${counted(users.size, 'workflow')} will miss ${it}: ${someOf(named)}.`;
}
