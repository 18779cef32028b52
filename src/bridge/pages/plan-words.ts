import { counted } from '../../n8n/pages/counted.ts';
import type { Plan, PlannedWorkflow } from './answers.ts';

/** Whether applying would change anything: something waits, or something is left over. */
export const isPending = ({ applied, workflows, remove }: Plan): boolean =>
  remove.length > 0 || (!applied && workflows.some(({ generate }) => generate));

/** What would be listed of a workflow, in words. */
export function exposes({ expose, more = 0, run }: PlannedWorkflow): string {
  const tools = expose.length + more;
  const parts = [
    ...(run === undefined ? [] : [`runs as ${run}`]),
    ...(tools === 0 ? [] : [`has ${counted(tools, 'AI tool')}`]),
  ];
  return parts.length === 0 ? 'offers nothing' : parts.join(' and ');
}

const why: ReadonlyMap<string, string> = new Map([
  ['tag', 'its tag in n8n'],
  ['config', 'the configuration'],
  ['available_in_mcp', '“Available in MCP” in n8n'],
  ['asked', 'hand'],
  ['file', 'the shared file'],
]);

/** By what a workflow is chosen. */
export const whyChosen = (chosen: string): string => why.get(chosen) ?? chosen;
