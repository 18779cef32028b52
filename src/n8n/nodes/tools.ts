import { getNodeAnalytics } from './get-node-analytics.ts';
import { listNodeTypes } from './list-node-types.ts';
import { findNodeUsage } from './find-node-usage.ts';

export const nodeTools = [listNodeTypes, findNodeUsage, getNodeAnalytics];
