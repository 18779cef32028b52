import { z } from 'zod';
import type { Workflow } from '../client/shapes.ts';
import { describeDiff, diffWorkflows } from '../diff/diff.ts';
import { type Validation, validationShape } from '../validation/on-save.ts';
import { type Publication, publication } from './publish.ts';
import { summaryOf, type WorkflowSummary, workflowSummary } from './summary.ts';

const MOST_BYTES = 2000;
const LEAST_BYTES = 100;
/** When more workflows than this change at once, each gets only a brief summary. */
const FEW = 5;

/** What a change did to a workflow. */
export const changeOutcome = z.object({
  workflow: workflowSummary,
  changes: z.array(z.string()).describe('What changed: + added, - removed, ~ changed. Empty: nothing to change'),
  more: z.string().optional().describe('Changes not shown'),
  backup: z.string().optional().describe('Id of the backup of the old state'),
  publication: publication.optional(),
  validation: validationShape.optional(),
  note: z.string().optional(),
  warnings: z.array(z.string()).optional(),
});

export interface Told {
  readonly before: Workflow;
  readonly after: Workflow;
  readonly backup?: string | undefined;
  readonly foreign?: readonly string[];
  readonly publication?: Publication | undefined;
  readonly warnings?: readonly string[];
  readonly validation?: Validation | undefined;
  readonly notes?: readonly string[];
}

/** `share`: how many outcomes share one reply. The more, the shorter each is. */
export function outcomeOf(
  { before, after, backup, foreign = [], publication: published, warnings = [], validation, notes = [] }: Told,
  share = 1,
) {
  const told = [...warnings, ...(foreign.length > 0 ? [foreignWarning(foreign)] : [])];
  const stays = backup !== undefined && after.active && !published && after.versionId !== after.activeVersionId;
  const note = [
    ...(stays
      ? ['Saved as a draft. The live version is unchanged until you publish: n8n_publish_workflow, or "publish": true.']
      : []),
    ...notes,
  ].join(' ');
  return {
    workflow: share > FEW ? brief(summaryOf(after)) : summaryOf(after),
    ...shownChanges(describeDiff(diffWorkflows(before, after)), Math.max(LEAST_BYTES, MOST_BYTES / share)),
    ...(backup !== undefined && { backup }),
    ...(published && { publication: published }),
    ...(validation && { validation }),
    ...(note !== '' && { note }),
    ...(told.length > 0 && { warnings: told }),
  };
}

function brief({ id, name, active, nodes, draft }: WorkflowSummary): WorkflowSummary {
  return { id, name, active, nodes, ...(draft && { draft }) };
}

/** The first lines of a diff, which can be as long as the workflow. */
export function shownChanges(lines: readonly string[], most = MOST_BYTES): { changes: string[]; more?: string } {
  let left = most;
  const over = lines.findIndex((line) => (left -= line.length) < 0);
  if (over === -1) return { changes: [...lines] };
  const changes = lines
    .slice(0, Math.max(1, over))
    .map((line) => (line.length > most ? `${line.slice(0, most)}…` : line));
  return {
    changes,
    more: `This shows ${changes.length} of ${lines.length} changes. n8n_diff_versions shows all.`,
  };
}

function foreignWarning(versions: readonly string[]): string {
  const [what, it] = versions.length === 1 ? ['a version', 'it'] : ['versions', 'them'];
  return `Somebody else saved ${what} at the same moment, and this save overwrote ${it}: ${versions.join(', ')}. n8n_diff_versions compares ${it}, n8n_get_workflow reads ${it}.`;
}
