import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { purposes } from '../../validation/finding.ts';
import type { Fixable, Fixed } from '../../validation/fixes/fix-workflow.ts';
import type { Workflow } from '../client/shapes.ts';
import type { WorkflowBody } from '../client/workflows.ts';
import { n8nTool } from '../tool.ts';
import { writable } from '../workflows/body.ts';
import { changeWorkflow } from '../workflows/change.ts';
import { expectedVersionInput } from '../workflows/id-input.ts';
import { changeOutcome, outcomeOf, shownChanges } from '../workflows/outcome.ts';
import { byGravity, catalogueOf, catalogueShape, countsShape, findingShape, shownFinding } from './finding-shape.ts';
import { fixLines } from './fix-lines.ts';
import { usualSettings } from './settings.ts';
import { aboutSubject, type Chosen, chosenWorkflow, purposeInput, subjectInput } from './subject-input.ts';

const FIXES_SHOWN = 5;
const CHANGES_BYTES = 1000;
const LARGEST_PATCH = 600;
const LONGEST = 300;

export const fixWorkflow = n8nTool({
  name: 'n8n_fix_workflow',
  title: 'Fix workflow',
  description:
    'Fixes a workflow: applies all safe fixes and those you name in "also"; shows what changed and what is left. With "id" it saves a draft, after a backup; the live version stays. With "workflow" it returns the patch, or with "full" the workflow.',
  effect: 'update',
  phrases:
    'fix a workflow automatically; repair a broken workflow; auto fix the errors; apply the suggested fixes; correct the mistakes in my workflow; clean up the findings; solve the validation errors for me; correct the workflow for me; automatic repair; make the validation errors go away; please fix what you can; solve problems in a flow; autofix; repair json of a workflow; upgrade and mend broken nodes safely; sort out those findings by yourself; make it valid again; it is broken, repair it; take care of the errors in the flow; put the workflow right; correct it automatically; can you fix my workflow; apply corrections; heal a damaged workflow; resolve the problems that can be resolved without risk; patch up a faulty flow; repair it; fix it; auto repair; please correct my workflow; get rid of the warnings; fix invalid nodes; clean the json so that n8n accepts it; remedy errors',
  tags: ['validation'],
  guidance:
    'Safe fixes do not change what n8n does: they remove what n8n ignores and write values the way n8n reads them. A finding that is left has a likely fix and "changes": what n8n would do differently. Name the rules you want in "also", or edit with n8n_edit_workflow.',
  takesMore: true,
  reads: aboutSubject,
  input: {
    ...subjectInput,
    purpose: purposeInput,
    also: z
      .array(z.string().max(100))
      .max(50)
      .optional()
      .describe('Rules whose likely fixes to apply, too: ["connection-by-id"]'),
    expected_version: expectedVersionInput,
    dry_run: z.boolean().optional().describe('Only show what would change'),
    full: z.boolean().optional().describe('With "workflow": return the whole fixed workflow'),
  },
  output: z.object({
    valid: z.boolean().describe('No errors are left'),
    purpose: z.enum(purposes),
    fixed: z
      .array(z.object({ rule: z.string(), node: z.string().optional(), path: z.string(), fix: z.string() }))
      .describe('The first applied fixes'),
    fixes: z.number().describe('Number of applied fixes'),
    changes: z.array(z.string()).describe('What changed: + added, - removed, ~ changed'),
    more: z.string().optional().describe('Changes not shown'),
    outcome: changeOutcome.omit({ changes: true, more: true }).optional().describe('With "id": how it was saved'),
    patch: z
      .array(z.looseObject({ op: z.string(), path: z.string() }))
      .optional()
      .describe('With "workflow": the fixes as JSON Patch, in order; absent if long'),
    workflow: z.record(z.string(), z.unknown()).optional().describe('With "workflow" and "full": the fixed workflow'),
    counts: countsShape.describe('Findings that are left'),
    left: z.array(findingShape).describe('Errors and warnings that are left, most severe first'),
    catalogue: catalogueShape,
    notes: z.array(z.string()).optional(),
  }),
  examples: [{ title: 'Show what it would change', arguments: { id: 'aB3xY9kLmN0pQrSt', dry_run: true } }],
  async run(
    { dry_run: dry = false, full = false, expected_version, purpose = 'run', also = [], ...given },
    deps,
    { signal },
  ) {
    const [{ fixWorkflow: fix }, { unknownRule }] = await Promise.all([
      import('../../validation/fixes/fix-workflow.ts'),
      import('../../validation/known-rules.ts'),
    ]);
    const unknown = unknownRule(also);
    if (unknown !== undefined) throw new AppError('invalid_input', `"also": ${unknown}`);
    const chosen = await chosenWorkflow({ ...given, purpose }, deps, signal);
    const { rules } = deps.validation?.() ?? usualSettings;
    const options = { purpose, rules, world: chosen.world, also };
    const { client, saved, catalogue } = chosen;
    if (!saved || !client || dry) {
      const fixed = fix(chosen.document, catalogue, options);
      return { ...replyOf(chosen, fixed, { full: full && !saved, patch: !saved, dry }), purpose };
    }
    const expectedVersion = expected_version ?? saved.versionId ?? undefined;
    const asked = { id: saved.id, reason: 'edit' as const, expectedVersion, signal };
    return client.turns.take(saved.id, async () => {
      let fixed: Fixed | undefined;
      const changed = await changeWorkflow(client, deps, asked, (now): WorkflowBody => {
        fixed = fix(writable(now), catalogue, options);
        return writable({ ...now, ...(fixed.workflow as Partial<Workflow>) });
      });
      const { changes: _, more: __, ...outcome } = outcomeOf(changed);
      return { ...replyOf(chosen, fixed as Fixed, {}), purpose, outcome };
    });
  },
});

function replyOf(
  { document, catalogue, notes }: Chosen,
  { applied, after, workflow }: Fixed,
  { full = false, patch = false, dry = false },
) {
  const told = [...notes, ...(dry ? ['dry_run: nothing was changed.'] : [])];
  const head = {
    valid: after.valid,
    fixes: applied.length,
    ...shownChanges(fixLines(document, workflow, applied), CHANGES_BYTES),
    counts: after.counts,
    catalogue: catalogueOf(catalogue),
    ...(told.length > 0 && { notes: told }),
  };
  const fixed = applied.slice(0, FIXES_SHOWN).map(doneOf);
  const operations = applied.flatMap(({ fix }) => [...fix.patch]);
  const showsPatch = patch && JSON.stringify(operations).length <= LARGEST_PATCH;
  const left = byGravity(after.findings.filter(({ severity }) => severity !== 'info')).map(shownFinding);
  const besides = [head, fixed, showsPatch ? operations : []];
  return {
    ...head,
    fixed,
    ...(showsPatch && { patch: operations }),
    ...(full && workflow && { workflow: { ...workflow } }),
    left: left.slice(0, fittingItems(left, besides)),
  };
}

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

const doneOf = ({ rule, node, path, fix: { description } }: Fixable) => ({
  rule,
  ...(node !== undefined && { node: cut(node) }),
  path: cut(path),
  fix: cut(description),
});
