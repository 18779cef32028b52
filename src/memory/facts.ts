import { fact } from '../kernel/facts.ts';

/** Events of the memory. Texts of memories are in none of them. */
export const memoryFacts = {
  'memory.erased': fact<{ namespaces: string[]; memories: number; principal: string }>({ audit: true }),
  'memory.expired': fact<{ namespaces: string[] }>({ level: 'debug' }),
  'memory.namespace_changed': fact<{ namespace: string; belongs_to: string; principal: string }>({ audit: true }),
  'memory.namespace_dropped': fact<{ namespace: string; principal: string }>({ audit: true }),
  'memory.embedding_failed': fact<{ reason: string; waiting: number }>({
    status: 'failure',
    line: ({ reason, waiting }) => `${waiting} passages of memories wait for their vectors: ${reason}`,
  }),
  'memory.embedding_finished': fact<{ passages: number; model: string }>({
    line: ({ passages, model }) => `Embedded ${passages} passages of memories with ${model}`,
  }),
};
