import { z } from 'zod';
import type { N8nClient } from '../../../n8n/client/client.ts';
import type { Execution } from '../../../n8n/client/shapes.ts';
import { pause } from '../../../n8n/pause.ts';

/** Why an endpoint has no tools, from its failed execution in n8n. */
export interface Failure {
  /** The node at fault, by its name in the generated workflow. */
  readonly node?: string;
  readonly reason: string;
}

const errorShape = z.looseObject({
  message: z.string().optional(),
  description: z.string().nullish(),
  node: z.looseObject({ name: z.string() }).nullish(),
});
const dataShape = z.looseObject({ resultData: z.looseObject({ error: errorShape.optional() }) });

/** n8n's clock may differ from ours. */
const SLACK_MS = 2000;
const LOOKS = 6;
const LOOK_MS = 250;

/** The failure in a generated workflow since then. Deletes the failed executions: our own probe caused them. */
export async function failureSince(
  client: N8nClient,
  workflow: string,
  since: number,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  try {
    const query = { workflowId: workflow, status: 'error', limit: 20, includeData: true } as const;
    let ours: Execution[] = [];
    // n8n answers before it has stored the execution.
    for (let look = 0; look < LOOKS && ours.length === 0; look++) {
      if (look > 0) await pause(LOOK_MS, signal);
      const { items } = await client.executions.page(query, signal);
      ours = items.filter(({ startedAt }) => Date.parse(startedAt ?? '') >= since - SLACK_MS);
    }
    const error = dataShape.safeParse(ours[0]?.data).data?.resultData.error;
    for (const { id } of ours) await client.executions.delete(id, signal);
    if (!error) return undefined;
    const { message, description, node } = error;
    const said = [...new Set([message, description].filter((one) => one))].join(': ');
    return { reason: said.slice(0, 500) || 'n8n gave no reason', ...(node && { node: node.name }) };
  } catch {
    // The API key may lack the right to read executions. The caller then uses the answer of the endpoint.
    return undefined;
  }
}
