import type { FoundTrigger } from '../discover.ts';
import { outsideOf } from './runnable.ts';

const LONGEST = 2000;
const MARKED = /^\s*(?:#+\s*)?mcp\s*:\s*/i;

/** The tool's description: what the author of the workflow wrote, else a generated sentence. */
export function describeRun(
  workflow: { readonly name: string; readonly description?: string },
  trigger: FoundTrigger,
): string {
  const marked = trigger.notes?.find((note) => MARKED.test(note))?.replace(MARKED, '');
  const own = typeof trigger.node.notes === 'string' ? trigger.node.notes : undefined;
  const said = [marked, workflow.description, own].find((text) => text !== undefined && text.trim() !== '');
  const generated =
    outsideOf(trigger)?.description?.(workflow.name) ??
    `Runs the n8n workflow "${workflow.name}" and returns its result.`;
  return (said ?? generated).trim().slice(0, LONGEST);
}
