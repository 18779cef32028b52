import { type Workflow, workflowShape } from '../../client/shapes.ts';
import { isRecord } from '../../../validation/json/record.ts';

/** Parameters that hold a whole workflow as JSON: of nodes that run it, and of n8n's own node. */
const holders = ['workflowJson', 'workflowObject'] as const;

/** The parameters with the workflows in them replaced. One that is not JSON, such as an expression, stays. */
export function withInnerWorkflows(
  parameters: Readonly<Record<string, unknown>>,
  change: (workflow: Workflow, where: string) => Record<string, unknown>,
): Record<string, unknown> {
  const changed = { ...parameters };
  for (const holder of holders) {
    const given = changed[holder];
    const read = typeof given === 'string' ? parsed(given) : given;
    if (!isRecord(read) || !Array.isArray(read['nodes'])) continue;
    const workflow = workflowShape.safeParse({ id: '', name: '', connections: {}, ...read });
    if (!workflow.success) continue;
    const { name, ...rest } = change(workflow.data, `parameters.${holder}`);
    const whole = { ...(name !== '' && { name }), ...rest };
    changed[holder] = typeof given === 'string' ? JSON.stringify(whole, null, 2) : whole;
  }
  return changed;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
