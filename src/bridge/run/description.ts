import type { FoundTrigger } from '../discover.ts';

const LONGEST = 2000;
const MARKED = /^\s*(?:#+\s*)?mcp\s*:\s*/i;

/** What a tool is for: in the words of whoever made the workflow, where there are any. */
export function describeRun(
  workflow: { readonly name: string; readonly description?: string },
  trigger: FoundTrigger,
): string {
  const marked = trigger.notes?.find((note) => MARKED.test(note))?.replace(MARKED, '');
  const own = typeof trigger.node.notes === 'string' ? trigger.node.notes : undefined;
  const said = [marked, workflow.description, own].find((text) => text !== undefined && text.trim() !== '');
  return (said ?? generated(workflow.name, trigger)).trim().slice(0, LONGEST);
}

function generated(name: string, { kind }: FoundTrigger): string {
  if (kind === 'chat') return `Sends a message to the n8n workflow "${name}" and returns its reply.`;
  if (kind === 'form') return `Submits the form of the n8n workflow "${name}" and returns what came of it.`;
  return `Runs the n8n workflow "${name}" and returns its result.`;
}
