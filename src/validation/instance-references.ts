import { own, isRecord, type Rec } from './json/record.ts';

/** References of a workflow to things that must exist on the instance. */

const EXECUTE = 'n8n-nodes-base.executeWorkflow';
const serving = new Set(['@n8n/n8n-nodes-langchain.toolWorkflow', '@n8n/n8n-nodes-langchain.retrieverWorkflow']);

export interface Called {
  readonly id: string;
  /** A sub-node calls it on request of its agent, and n8n checks it only then. */
  readonly isServing: boolean;
}

/** The workflow that a node calls; undefined if an expression decides, or if the node contains the workflow itself. */
export function calledBy(node: Rec): Called | undefined {
  const type = own(node, 'type');
  const isServing = typeof type === 'string' && serving.has(type);
  if ((type !== EXECUTE && !isServing) || own(node, 'disabled') === true) return undefined;
  const parameters = own(node, 'parameters');
  if (!isRecord(parameters) || (own(parameters, 'source') ?? 'database') !== 'database') return undefined;
  const given = own(parameters, 'workflowId');
  const id = isRecord(given) ? own(given, 'value') : given;
  return typeof id === 'string' && id !== '' && !/^=|\{\{/.test(id) ? { id, isServing } : undefined;
}

/** The workflow that n8n calls when this one fails. */
export function errorWorkflowOf(workflow: Rec): string | undefined {
  const settings = own(workflow, 'settings');
  const id = isRecord(settings) ? own(settings, 'errorWorkflow') : undefined;
  return typeof id === 'string' && id !== '' && id !== 'DEFAULT' && !/^=|\{\{/.test(id) ? id : undefined;
}

export interface Table {
  readonly by: 'id' | 'name';
  readonly value: string;
}

/** The data table that a resource locator refers to. Ignores bare strings: they have no mode. */
export function tableIn(located: unknown): Table | undefined {
  if (!isRecord(located)) return undefined;
  const [mode, value] = [own(located, 'mode'), own(located, 'value')];
  if (typeof value !== 'string' || value === '' || /^=|\{\{/.test(value)) return undefined;
  return mode === 'name' ? { by: 'name', value } : mode === 'id' || mode === 'list' ? { by: 'id', value } : undefined;
}
