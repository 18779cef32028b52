import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { GENERATED_PREFIX, GENERATED_TAG, markOf, type Mark } from '../generated.ts';

/** A workflow that this or another Sluice generated. */
export interface Generated {
  readonly workflow: Workflow;
  readonly mark: Mark;
}

/** Everything that any Sluice generated in an n8n. Looks by tag and by name, because somebody may have changed either. */
export async function generatedIn(client: N8nClient, signal: AbortSignal): Promise<Generated[]> {
  const found = new Map<string, Generated>();
  for (const filter of [{ tags: [GENERATED_TAG] }, { name: GENERATED_PREFIX }])
    for await (const workflow of client.workflows.all(filter, signal)) {
      const mark = markOf(workflow);
      if (mark) found.set(workflow.id, { workflow, mark });
    }
  // If two have the same purpose, the active one comes first: the other cannot be published beside it.
  return [...found.values()].sort(
    ({ workflow: a }, { workflow: b }) => Number(b.active) - Number(a.active) || (a.id < b.id ? -1 : 1),
  );
}
