import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { GENERATED_PREFIX, GENERATED_TAG, markOf, type Mark } from '../generated.ts';

/** A workflow that a Sluice generated. */
export interface Generated {
  readonly workflow: Workflow;
  readonly mark: Mark;
}

/** All that any Sluice has generated in an n8n: by tag and by name, for somebody may have changed one of them. */
export async function generatedIn(client: N8nClient, signal: AbortSignal): Promise<Generated[]> {
  const found = new Map<string, Generated>();
  for (const filter of [{ tags: [GENERATED_TAG] }, { name: GENERATED_PREFIX }])
    for await (const workflow of client.workflows.all(filter, signal)) {
      const mark = markOf(workflow);
      if (mark) found.set(workflow.id, { workflow, mark });
    }
  // Of two that are for the same, the one that serves comes first: the other could not be published beside it.
  return [...found.values()].sort(
    ({ workflow: a }, { workflow: b }) => Number(b.active) - Number(a.active) || (a.id < b.id ? -1 : 1),
  );
}
