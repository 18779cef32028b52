import { answered, inQuery } from '../../kernel/described.ts';
import { listAnswer, listQuery, memoryAnswer, namespacesAnswer, nearAnswer, stateAnswer } from './answers.ts';

const tags = ['memory'];

/** What OpenAPI says about the routes, by operation. */
export const described = {
  memories: {
    operationId: 'memories',
    summary: 'Lists memories, newest first, or searches them',
    tags,
    parameters: inQuery(listQuery),
    responses: answered(listAnswer),
  },
  memory: {
    operationId: 'memory',
    summary: 'A memory in full, with its versions',
    tags,
    responses: answered(memoryAnswer),
  },
  memoryNear: {
    operationId: 'memoryNear',
    summary: 'Memories of the same namespace that repeat or contradict this one',
    tags,
    responses: answered(nearAnswer),
  },
  memoryState: {
    operationId: 'memoryState',
    summary: 'Where memories are stored, and which model compares meanings',
    tags,
    responses: answered(stateAnswer),
  },
  memoryNamespaces: {
    operationId: 'memoryNamespaces',
    summary: 'The namespaces that you may use, and what is in them',
    tags,
    responses: answered(namespacesAnswer),
  },
};

export type Named = keyof typeof described;
