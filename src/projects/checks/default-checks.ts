import { blueprintCheck } from './blueprint.ts';
import { containerCheck } from './container.ts';
import { databaseCheck } from './database.ts';
import type { DefaultCheck } from './default-check.ts';
import { memoryCheck } from './memory.ts';
import { queueCheck } from './queue.ts';
import { repositoryCheck } from './repository.ts';
import { serverCheck } from './server.ts';
import { workflowCheck } from './workflow.ts';

/** By kind. A kind that is not here is only shown. */
export const defaultChecks: ReadonlyMap<string, DefaultCheck> = new Map(
  [
    workflowCheck,
    repositoryCheck,
    containerCheck,
    databaseCheck,
    queueCheck,
    memoryCheck,
    blueprintCheck,
    serverCheck,
  ].map((check) => [check.kind, check]),
);
