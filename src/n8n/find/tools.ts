import { searchWorkflows } from './search-workflows.ts';
import { workflowDependencies } from './workflow-dependencies.ts';

export const findTools = [searchWorkflows, workflowDependencies];
