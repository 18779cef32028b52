import { linkTo } from '../../console/client/pages.ts';

type Query = Readonly<Record<string, string>>;

export const instanceLink = (instance: string, query: Query = {}): string => linkTo('n8n', [instance], query);

export const workflowLink = (instance: string, id: string, query: Query = {}): string =>
  linkTo('n8n', [instance, 'workflow', id], query);

/** Finds the workflow of an execution and shows it there. */
const executionLink = (instance: string, id: string): string => linkTo('n8n', [instance, 'execution', id]);

/** Where the console shows what this call of a tool would answer. */
export function placeOf(instance: string, tool: string, args: Readonly<Record<string, unknown>>): string | undefined {
  const id = typeof args.id === 'string' ? args.id : undefined;
  switch (tool) {
    case 'n8n_get_execution':
      return id === undefined ? undefined : executionLink(instance, id);
    case 'n8n_list_failures':
      return instanceLink(instance, { view: 'failures' });
    case 'n8n_list_executions':
      return instanceLink(instance, {
        view: 'executions',
        ...(typeof args.status === 'string' && { status: args.status }),
      });
    case 'n8n_validate_workflow':
      return id === undefined ? undefined : workflowLink(instance, id);
    case 'n8n_diff_versions':
      return id === undefined
        ? undefined
        : workflowLink(instance, id, { view: 'versions', before: 'published', after: 'draft' });
    default:
      return undefined;
  }
}
