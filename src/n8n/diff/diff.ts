/** What two workflows differ in, for people: `describeDiff(diffWorkflows(before, after))`. */
export { describeDiff } from './describe.ts';
export { type Comparable, diffWorkflows, isEmptyDiff } from './workflow-diff.ts';
