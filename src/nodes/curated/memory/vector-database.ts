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
  description: 'Lets an agent find texts by meaning: a vector store as a tool of the agent, with its embeddings.',
  configurations: {
    store: {
      type: 'string',
      description: 'Name of the store; insert and search must use the same one',
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
      description: 'What the store contains; the agent uses this to decide whether to search',
      required: true,
      default: 'Finds passages in our documents that answer a question.',
      at: 'Vector Store: toolDescription',
    },
    top_k: {
      type: 'integer',
      description: 'Number of passages to return',
      default: 4,
      min: 1,
      at: 'Vector Store: topK',
    },
    embedding_model: {
      type: 'string',
      description: 'Embedding model; must be the same for inserting and searching',
      default: 'text-embedding-3-small',
      at: 'Embeddings: model',
    },
  },
  inputParams: { query: { type: 'string', description: 'What the agent searches for', required: true, default: '' } },
  outputParams: {
    pageContent: { type: 'string', description: 'Text of the passage' },
    metadata: { type: 'object', description: 'Source of the passage' },
  },
  inputPorts: [attaches('Vector Store', 'ai_embedding', 'Embeddings; included in the fragment')],
  outputPorts: [attaches('Vector Store', 'ai_tool', 'To the ai_tool input of an agent')],
  tags: ['memory', 'vector', 'embedding', 'rag', 'knowledge', 'search', 'semantic'],
  examples: [
    {
      name: 'An agent that knows the manual',
      description: 'To fill it, add a second vector store with mode insert, the same store name and a document loader.',
      configurations: { store: 'manual', tool_description: 'Finds passages in the manual of our product.', top_k: 6 },
      input: { query: 'How do I reset the device?' },
      output: { pageContent: 'Hold the button for ten seconds…', metadata: { page: 12 } },
    },
  ],
  guidance:
    'Insert both nodes, and connect "Vector Store" to the agent (ai_tool). The embeddings need a credential of type openAiApi; you can replace them with any other embeddings node. This store is in the memory of n8n and is lost on restart. To keep the data, replace it with MEMORY.VECTOR_STORE_PG_VECTOR, MEMORY.VECTOR_STORE_QDRANT or another one. The connections stay the same.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Vector Store',
        parameters: {
          mode: 'retrieve-as-tool',
          toolDescription: 'Finds passages in our documents that answer a question.',
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
