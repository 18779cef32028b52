import { versionOf } from '../subject/node-knowledge.ts';
import type { NodeView, Subject } from '../subject/subject.ts';

export const WEBHOOK = 'n8n-nodes-base.webhook';
export const FORM_TRIGGER = 'n8n-nodes-base.formTrigger';
export const CHAT_TRIGGER = '@n8n/n8n-nodes-langchain.chatTrigger';
export const WAIT = 'n8n-nodes-base.wait';
export const RESPOND = 'n8n-nodes-base.respondToWebhook';

/** Every node that items from one of these reach, with the start it was found from. */
export function after(starts: Iterable<NodeView>, { from }: Subject): ReadonlyMap<NodeView, NodeView> {
  return spread(starts, (node) => from(node).flatMap(({ kind, target }) => (kind === 'main' ? [target] : [])));
}

/** Every node whose items reach one of these, with the end it was found from. */
export function before(ends: Iterable<NodeView>, { to }: Subject): ReadonlyMap<NodeView, NodeView> {
  return spread(ends, (node) => to(node).flatMap(({ kind, source }) => (kind === 'main' ? [source] : [])));
}

function spread(starts: Iterable<NodeView>, next: (node: NodeView) => readonly NodeView[]) {
  const found = new Map<NodeView, NodeView>();
  for (const start of starts) for (const node of next(start)) if (!found.has(node)) found.set(node, start);
  // Iterating over a map includes entries that the loop adds.
  for (const [node, start] of found) for (const one of next(node)) if (!found.has(one)) found.set(one, start);
  return found;
}

/** How it answers; undefined if only a run can tell. */
export function responseMode({ configuration }: NodeView): string | undefined {
  const mode = configuration()?.parameters()['responseMode'];
  return typeof mode === 'string' && !mode.startsWith('=') ? mode : undefined;
}

/** A chat trigger has this in its options. */
export function chatResponseMode({ configuration }: NodeView): string | undefined {
  const parameters = configuration()?.parameters();
  if (!parameters) return undefined;
  const options = Object(parameters['options']) as Record<string, unknown>;
  const mode = Object.hasOwn(options, 'responseMode') ? options['responseMode'] : 'lastNode';
  return typeof mode === 'string' && !mode.startsWith('=') ? mode : undefined;
}

/** A Wait node that resumes on a call and lets a node answer it. */
export function isAnsweringWait(node: NodeView): boolean {
  const { type, disabled, parameters } = node;
  const isCalled = type === WAIT && !disabled && ['webhook', 'form'].includes(String(parameters['resume']));
  return isCalled && responseMode(node) === 'responseNode';
}

/** Before version 2 a webhook accepts the call anyway, and n8n answers by itself. */
export function refusesUnanswered(node: NodeView): boolean {
  return node.type !== WEBHOOK || versionOf(node) >= 2;
}
