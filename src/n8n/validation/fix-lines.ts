import { readWorkflow } from '../../validation/subject/read-workflow.ts';
import type { Fixable } from '../../validation/fixes/fix-workflow.ts';
import { workflowShape } from '../client/shapes.ts';
import { describeDiff, diffWorkflows } from '../diff/diff.ts';

const LONGEST = 300;

const comparable = workflowShape.partial().required({ nodes: true, connections: true });

/** What the fixes changed, as a workflow diff. If n8n would not accept the original, describes the fixes instead. */
export function fixLines(before: unknown, after: unknown, applied: readonly Fixable[]): string[] {
  if (applied.length === 0) return [];
  const [old, now] = [comparable.safeParse(readWorkflow(before).workflow), comparable.safeParse(after)];
  const lines = old.success && now.success ? describeDiff(diffWorkflows(old.data, now.data)) : [];
  return lines.length > 0
    ? lines
    : applied.map(({ path, fix }) => `~ ${path.slice(0, LONGEST)}: ${fix.description.slice(0, LONGEST)}`);
}
