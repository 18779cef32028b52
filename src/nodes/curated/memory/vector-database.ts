import { connected, fragmentNode } from '../../fragments/fragment.ts';
import { attaches } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = '@n8n/n8n-nodes-langchain.vectorStoreInMemory';
const EMBEDDINGS = '@n8n/n8n-nodes-langchain.embeddingsOpenAi';

export const vectorDatabase: CuratedSpec = {
  type: 'MEMORY',
  subtype: 'VECTOR_DATABASE',
  nodes: [NODE, EMBEDDINGS],
  names: false,
  description:
    'Texts that an agent finds by meaning: a vector store as a tool of the agent, with what makes the vectors.',
  configurations: {
    store: {
      type: 'string',
      description: 'Name of the store; what is inserted under it is found under it',
      required: true,
      default: 'knowledge',
      at: 'Vector Store: memoryKey.value',
    },
    mode: {
      type: 'string',
      description:
        'retrieve-as-tool: for an agent; insert: fills it; load: searches in the main flow; retrieve: for chains and retrievers',
      default: 'retrieve-as-tool',
      options: ['retrieve-as-tool', 'insert', 'load', 'retrieve'],
      at: 'Vector Store: mode',
    },
    tool_description: {
      type: 'string',
      description: 'What is in it: by this the agent decides whether to look',
      required: true,
      default: 'Finds passages of our documents that bear on a question.',
      at: 'Vector Store: toolDescription',
    },
    top_k: {
      type: 'integer',
      description: 'How many passages are given',
      default: 4,
      min: 1,
      at: 'Vector Store: topK',
    },
    embedding_model: {
      type: 'string',
      description: 'Makes the vectors; has to be the same for inserting and searching',
      default: 'text-embedding-3-small',
      at: 'Embeddings: model',
    },
  },
  inputParams: { query: { type: 'string', description: 'What the agent looks for', required: true, default: '' } },
  outputParams: {
    pageContent: { type: 'string', description: 'A passage' },
    metadata: { type: 'object', description: 'Where it comes from' },
  },
  inputPorts: [attaches('Vector Store', 'ai_embedding', 'What makes the vectors; comes with the fragment')],
  outputPorts: [attaches('Vector Store', 'ai_tool', 'To the ai_tool input of an agent')],
  tags: ['memory', 'vector', 'embedding', 'rag', 'knowledge', 'search', 'semantic'],
  examples: [
    {
      name: 'An agent that knows the manual',
      description: 'A second vector store with mode insert, the same store and a document loader fills it.',
      configurations: { store: 'manual', tool_description: 'Finds passages of the manual of our product.', top_k: 6 },
      input: { query: 'How do I reset the device?' },
      output: { pageContent: 'Hold the button for ten seconds…', metadata: { page: 12 } },
    },
  ],
  guidance:
    'Insert both nodes, and connect "Vector Store" to the agent (ai_tool). The embeddings need a credential of type openAiApi; any other embeddings node may stand in their place. This store lives in the memory of n8n and is gone when it restarts: for keeps replace it by MEMORY.VECTOR_STORE_PG_VECTOR, MEMORY.VECTOR_STORE_QDRANT or another, whose connections are the same.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Vector Store',
        parameters: {
          mode: 'retrieve-as-tool',
          toolDescription: 'Finds passages of our documents that bear on a question.',
          memoryKey: { __rl: true, mode: 'id', value: 'knowledge' },
          topK: 4,
        },
      }),
      fragmentNode(catalogue, EMBEDDINGS, {
        name: 'Embeddings',
        position: [-40, 220],
        parameters: { model: 'text-embedding-3-small', options: {} },
      }),
    ],
    connections: connected({ from: 'Embeddings', to: 'Vector Store', type: 'ai_embedding' }),
  }),
};
