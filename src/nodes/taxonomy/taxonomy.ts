import { givenNames } from '../curated/names.ts';
import type { NodeDescription, Ports } from '../description.ts';

/** Every node belongs to one of these eight types. */
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

/** The parts of a description that decide the type. */
export type Classified = Pick<NodeDescription, 'name' | 'group' | 'outputs' | 'credentials' | 'codex'>;

export interface Place {
  readonly type: NodeType;
  readonly subtype: string;
}

const BASE = 'n8n-nodes-base.';
const LANGCHAIN = '@n8n/n8n-nodes-langchain.';

/** Outputs of memory and retrieval nodes and their building blocks. */
const memoryOutputs = new Set([
  'ai_memory',
  'ai_vectorStore',
  'ai_retriever',
  'ai_embedding',
  'ai_document',
  'ai_textSplitter',
  'ai_reranker',
]);

/** Nodes that control where, when and how many items flow. n8n puts some of them in other categories. */
const flow = named(
  BASE,
  'if switch merge filter sort limit wait noOp splitInBatches compareDatasets stopAndError executeWorkflow',
  'respondToWebhook dynamicCredentialCheck',
);

/** Nodes that ask a person through n8n's own pages, without another service. */
const asking = new Set([`${BASE}form`, `${LANGCHAIN}chat`]);

/** Nodes that work inside n8n although they take credentials or are not in "Core Nodes". */
const inside = named(BASE, 'jwt totp debugHelper evaluation n8nTrainingCustomerDatastore n8nTrainingCustomerMessenger');

/** Nodes that act on a server with an account although n8n has them in "Core Nodes". */
const outside = named(BASE, 'emailSend ftp ssh git n8n');

/** The type and subtype of a node, by its latest description. Curated subtypes exist in addition. */
export function classify(node: Classified): Place {
  const type = typeOf(node);
  return { type, subtype: subtypeOf(node.name, type) };
}

function typeOf({ name, group, outputs, credentials = [], codex }: Classified): NodeType {
  // n8n generates HitlTool from every node that can send and wait: a person approves an agent's tool calls.
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
  // A node of a service has credentials or at least a category.
  return credentials.length > 0 || categories.length > 0 ? 'EXTERNAL_ACTION' : 'ACTION';
}

/** Output types, if they are fixed. A node with computed outputs is never only a sub-node, so none are needed. */
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
  // Two underscores keep community nodes distinct from n8n's own.
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
