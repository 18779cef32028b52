import { listNodeTypes } from './list-node-types.ts';
import { nodeUsage } from './node-usage.ts';

export const nodeTools = [listNodeTypes, nodeUsage];
