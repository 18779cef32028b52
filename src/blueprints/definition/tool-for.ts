import type { Action } from './shape.ts';

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** The tool that carries out an action; undefined for a URL. */
export function toolFor(action: Action): string | undefined {
  if (action.kind === 'tool') return action.tool;
  if (action.kind === 'workflow') return 'n8n_execute_workflow';
  return isUrl(action.webhook) ? undefined : 'n8n_trigger_webhook';
}
