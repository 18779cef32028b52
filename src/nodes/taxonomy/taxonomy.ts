import { givenNames } from '../curated/names.ts';
import type { NodeDescription, Ports } from '../description.ts';

/** The eight kinds that every node falls into. */
export const nodeTypes = [
  'TRIGGER',
  'AI_AGENT',
  'ACTION',
  'EXTERNAL_ACTION',
  'FLOW',
  'HUMAN_IN_THE_LOOP',
  'TOOL',
  'MEMORY',
] as const;

export type NodeType = (typeof nodeTypes)[number];

/** What the classification looks at. */
export type Classified = Pick<NodeDescription, 'name' | 'group' | 'outputs' | 'credentials' | 'codex'>;

export interface Place {
  readonly type: NodeType;
  readonly subtype: string;
}

const BASE = 'n8n-nodes-base.';
const LANGCHAIN = '@n8n/n8n-nodes-langchain.';

/** What an agent remembers with or looks things up in, and what that is made of. */
const memoryOutputs = new Set([
  'ai_memory',
  'ai_vectorStore',
  'ai_retriever',
  'ai_embedding',
  'ai_document',
  'ai_textSplitter',
  'ai_reranker',
]);

/** Which way items go, when, and how many of them. n8n itself files some of these under data or helpers. */
const flow = named(
  BASE,
  'if switch merge filter sort limit wait noOp splitInBatches compareDatasets stopAndError executeWorkflow',
  'respondToWebhook dynamicCredentialCheck',
);

/** They ask a person by n8n's own pages, with no service between. */
const asking = new Set([`${BASE}form`, `${LANGCHAIN}chat`]);

/** They have credentials, or are not filed under the core nodes, and yet do their work inside n8n. */
const inside = named(BASE, 'jwt totp debugHelper evaluation n8nTrainingCustomerDatastore n8nTrainingCustomerMessenger');

/** n8n files them under the core nodes, and yet each acts on a server that one must have an account of. */
const outside = named(BASE, 'emailSend ftp ssh git n8n');

/** Where a node belongs, by its latest description. Every node has exactly one place; curated subtypes come on top. */
export function classify(node: Classified): Place {
  const type = typeOf(node);
  return { type, subtype: subtypeOf(node.name, type) };
}

function typeOf({ name, group, outputs, credentials = [], codex }: Classified): NodeType {
  // n8n makes these from every node that can send and wait: a person decides whether an agent may use a tool.
  if (asking.has(name) || name.endsWith('HitlTool')) return 'HUMAN_IN_THE_LOOP';
  if (group.includes('trigger')) return 'TRIGGER';
  const gives = outputTypes(outputs);
  if (gives.includes('ai_tool')) return 'TOOL';
  if (gives.some((kind) => memoryOutputs.has(kind))) return 'MEMORY';
  if (gives.some((kind) => kind.startsWith('ai_'))) return 'AI_AGENT';
  const categories = codex?.categories ?? [];
  if (categories.includes('AI')) return /\.(?:chatHub)?(?:vectorStore|memory)/i.test(name) ? 'MEMORY' : 'AI_AGENT';
  if (flow.has(name)) return 'FLOW';
  if (inside.has(name)) return 'ACTION';
  if (outside.has(name)) return 'EXTERNAL_ACTION';
  if (categories.includes('Core Nodes'))
    return codex?.subcategories?.['Core Nodes']?.includes('Flow') ? 'FLOW' : 'ACTION';
  // n8n's own without a category are bare tools; a service that needs no account has a category.
  return credentials.length > 0 || categories.length > 0 ? 'EXTERNAL_ACTION' : 'ACTION';
}

/** What comes out is fixed for most; the others compute it, and none of those gives a sub-node's output alone. */
function outputTypes(outputs: Ports): string[] {
  if (typeof outputs === 'string') return [];
  return outputs.map((port) => (typeof port === 'string' ? port : port.type));
}

function subtypeOf(name: string, type: NodeType): string {
  const given = givenNames.get(name);
  if (given !== undefined) return given;
  const dot = name.lastIndexOf('.');
  const own = name.slice(dot + 1);
  const short = type === 'TRIGGER' ? own.replace(/(?<=.)Trigger$/, '') : own;
  if (name.startsWith(BASE) || name.startsWith(LANGCHAIN)) return screaming(short);
  // Two underscores keep a community node apart from n8n's own, whatever else is installed.
  const from = name.slice(0, Math.max(dot, 0)).replace(/(^|\/)n8n-nodes-/, '$1');
  return `${screaming(from)}__${screaming(short)}`;
}

/** `httpRequest` -> `HTTP_REQUEST`, `vectorStorePGVector` -> `VECTOR_STORE_PG_VECTOR`. */
export function screaming(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[^a-zA-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
}

function named(prefix: string, ...names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((list) => list.split(' ')).map((name) => `${prefix}${name}`));
}
