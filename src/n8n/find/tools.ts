import { searchWorkflows } from './search-workflows.ts';
import { getDependencies } from './get-dependencies.ts';

export const findTools = [searchWorkflows, getDependencies];
