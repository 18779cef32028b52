import { z } from 'zod';
import { type Node, nodeShape, type Workflow } from '../client/shapes.ts';
import { own } from '../../kernel/own.ts';

export type TriggerKind = 'webhook' | 'form' | 'chat' | 'sub-workflow' | 'manual' | 'schedule' | 'other';

/** A node at which a workflow can begin. */
export interface Trigger {
  readonly name: string;
  readonly type: string;
  readonly kind: TriggerKind;
  readonly node: Node;
}

const kinds: Readonly<Record<string, TriggerKind>> = {
  'n8n-nodes-base.webhook': 'webhook',
  'n8n-nodes-base.formTrigger': 'form',
  '@n8n/n8n-nodes-langchain.chatTrigger': 'chat',
  '@n8n/n8n-nodes-langchain.manualChatTrigger': 'chat',
  'n8n-nodes-base.executeWorkflowTrigger': 'sub-workflow',
  'n8n-nodes-base.manualTrigger': 'manual',
  'n8n-nodes-base.start': 'manual',
  'n8n-nodes-base.scheduleTrigger': 'schedule',
  'n8n-nodes-base.cron': 'schedule',
  'n8n-nodes-base.interval': 'schedule',
  'n8n-nodes-base.emailReadImap': 'other',
};

/** The triggers that are switched on. */
export function triggersOf(nodes: readonly Node[]): Trigger[] {
  return nodes.flatMap((node) => {
    const kind = own(kinds, node.type) ?? (/trigger$/i.test(node.type) ? 'other' : undefined);
    return kind === undefined || node.disabled ? [] : [{ name: node.name, type: node.type, kind, node }];
  });
}

const versionShape = z.looseObject({ nodes: z.array(nodeShape) });

/** The nodes that are live; undefined when none are. */
export function publishedNodes({ active, activeVersion, nodes }: Workflow): readonly Node[] | undefined {
  if (!active) return undefined;
  // A draft may differ from what is live. Older versions of n8n know no drafts.
  const version = versionShape.safeParse(activeVersion);
  return version.success ? version.data.nodes : nodes;
}

/** Where a webhook answers, below `/webhook/`; with a parameter in its path n8n puts the node's own id before it. */
export function webhookPath({ node }: Trigger): string | undefined {
  const given = node.parameters.path;
  if (typeof given === 'string' && given.startsWith('=')) return undefined;
  const path = typeof given === 'string' ? given.replace(/^\/+/, '') : '';
  if (path === '') return node.webhookId;
  return /(^|\/):/.test(path) && node.webhookId !== undefined ? `${node.webhookId}/${path}` : path;
}

/** The methods a webhook takes, the first of them for want of another. */
export function webhookMethods({ node: { parameters } }: Trigger): string[] {
  const { httpMethod } = parameters;
  if (Array.isArray(httpMethod)) return httpMethod.map(String);
  return [typeof httpMethod === 'string' ? httpMethod : 'GET'];
}

/** Where a form answers, below its `formRoot`. */
export function formPath({ node: { parameters, webhookId, typeVersion } }: Trigger): string | undefined {
  const options = parameters.options as { path?: unknown } | undefined;
  // n8n reads the path from one place alone, whatever stands in the other: since version 2.2 from the options.
  const given = typeVersion !== undefined && typeVersion < 2.2 ? parameters.path : options?.path;
  const found = [given, webhookId].find((one) => typeof one === 'string' && one !== '');
  const path = found as string | undefined;
  return path !== undefined && typeVersion === 1 ? `${path}/n8n-form` : path;
}

/** Forms of the first version answer among the webhooks. */
export const formRoot = ({ node: { typeVersion } }: Trigger): string => (typeVersion === 1 ? 'webhook' : 'form');

/** Whether a chat can be reached from outside the editor. */
export const isPublicChat = ({ kind, node }: Trigger): boolean =>
  kind === 'chat' && node.parameters.public === true && node.webhookId !== undefined;
