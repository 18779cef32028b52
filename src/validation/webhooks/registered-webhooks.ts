import type { Catalogue } from '../../nodes/catalogue.ts';
import { createSandbox } from '../../nodes/configuration/sandbox.ts';
import { versionOf } from '../subject/node-knowledge.ts';
import { own, type Rec } from '../json/record.ts';
import type { NodeView } from '../subject/subject.ts';

/** One URL that n8n opens when the workflow is published. */
export interface RegisteredWebhook {
  readonly node: NodeView;
  readonly method: string;
  /** As n8n stores it: without slashes at the ends. */
  readonly path: string;
}

/**
 * The webhooks that a node opens. Skips paths that n8n generates, because they clash with nothing. A path from an
 * expression is compared as text: equal expressions give equal paths.
 */
export function registeredWebhooks(node: NodeView): RegisteredWebhook[] {
  if (node.disabled || !node.trigger) return [];
  const webhooks: RegisteredWebhook[] = [];
  for (const webhook of node.description?.webhooks ?? []) {
    // A run opens it, only for itself.
    if (webhook['restartWebhook'] === true) continue;
    const given = valueOf(own(webhook, 'path'), node);
    const methods = valueOf(own(webhook, 'httpMethod') ?? 'GET', node);
    const id = own(node.raw, 'webhookId');
    if (given === undefined || methods === undefined) continue;
    const path = pathOf(
      trimmed(given),
      webhook['isFullPath'] === true,
      typeof id === 'string' && id !== '' ? id : undefined,
    );
    if (path === undefined) continue;
    for (const method of methods.split(','))
      if (method.trim() !== '') webhooks.push({ node, method: method.trim(), path });
  }
  return webhooks;
}

/** n8n generates a missing id or path. */
function pathOf(path: string, isFull: boolean, id: string | undefined): string | undefined {
  if (isFull) return isDynamic(path) ? id && `${id}/${path}` : path === '' ? id : path;
  return id && `${id}/${path}`;
}

const isDynamic = (path: string): boolean => path.startsWith(':') || path.includes('/:');

/** `/orders/ ` is `orders` to n8n. */
function trimmed(path: string): string {
  return path.trim().replace(/^\//, '').replace(/\/$/, '');
}

/** A field of the description: plain text, or expressions that read the parameters. */
function valueOf(field: unknown, node: NodeView): string | undefined {
  if (typeof field !== 'string') return undefined;
  if (!field.startsWith('=')) return field;
  const parameters = node.configuration()?.parameters();
  if (!parameters) return undefined;
  const name = /^=\{\{\s*\$parameter\["(\w+)"\](?:\s*\|\|\s*"(\w*)")?\s*\}\}$/.exec(field);
  if (name) {
    const value = own(parameters, name[1] as string) ?? '';
    return asText(value === '' ? (name[2] ?? '') : value);
  }
  return evaluated(field, parameters, node);
}

let sandbox: ReturnType<typeof createSandbox> | undefined;

function evaluated(field: string, parameters: Rec, node: NodeView): string | undefined {
  const pieces = field.slice(1).split(/\{\{([\s\S]*?)\}\}/);
  const source = pieces.map((piece, index) => (index % 2 === 0 ? JSON.stringify(piece) : `(${piece})`)).join(' + ');
  const input = {
    parameters,
    webhookId: own(node.raw, 'webhookId'),
    version: versionOf(node),
    nodeId: own(node.raw, 'id'),
  };
  sandbox ??= createSandbox();
  const wrapped = `(($parameter, $webhookId, $nodeVersion, $nodeId) => ${source})(input.parameters, input.webhookId, input.version, input.nodeId)`;
  return asText(sandbox(wrapped, JSON.stringify(input)));
}

function asText(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.join(',') : value;
  if (typeof text !== 'string' || text === 'undefined') return undefined;
  return text.startsWith('=') && /\$node|\$now|random|uuid/i.test(text) ? undefined : text;
}

/** Not from an expression. */
export const isPlain = ({ method, path }: RegisteredWebhook): boolean =>
  !method.startsWith('=') && !path.startsWith('=');

/** A cheap check whether a node of this type opens any webhook. */
export function opensWebhooks(type: string, catalogue: Catalogue): boolean {
  return catalogue.node(type)?.trigger === true && (catalogue.description(type)?.webhooks?.length ?? 0) > 0;
}

/** n8n cannot open two webhooks with the same key. */
export const keyOf = ({ method, path }: RegisteredWebhook): string => `${method} ${path}`;

export function placeOf({ node }: RegisteredWebhook): string {
  if (Object.hasOwn(node.parameters, 'path')) return `${node.pointer}/parameters/path`;
  return Object.hasOwn(node.raw, 'webhookId') ? `${node.pointer}/webhookId` : node.pointer;
}

export function adviceFor({ node }: RegisteredWebhook): string {
  return Object.hasOwn(node.parameters, 'path')
    ? 'Give it another path, or another method.'
    : 'Remove its "webhookId": n8n gives it a new one.';
}
