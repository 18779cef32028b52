/** The difference of two workflows in readable lines: `describeDiff(diffWorkflows(before, after))`. */
export { describeDiff } from './describe.ts';
export { type Comparable, diffWorkflows, isEmptyDiff } from './workflow-diff.ts';
