import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { severities } from '../../validation/finding.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { n8nTool } from '../tool.ts';
import { scanWorkflows } from '../find/scan.ts';
import { catalogueOf, catalogueShape, countsShape } from './finding-shape.ts';
import type { JudgedWorkflow, Told } from './judge-instance.ts';
import { usualSettings } from './settings.ts';
import { purposeInput } from './subject-input.ts';

const NAME = 'n8n_validate_instance';
const RULES_SHOWN = 15;
const RULES_OF_EACH = 4;

export const validateInstance = n8nTool({
  name: NAME,
  title: 'Validate instance',
  description:
    'Checks all workflows of an n8n: how many have errors, the most frequent rules, and the worst workflows first. n8n_validate_workflow then shows the findings of one.',
  effect: 'read',
  phrases:
    'check all workflows; validate everything; which workflows have errors; scan the whole n8n for problems; audit every automation; worst workflows; find mistakes in all flows; quality report of the instance; check everything in my n8n; are all my workflows fine; health report of all automations; which workflows are wrong; find broken workflows across the instance; validate all; how good are my workflows overall; mistakes in any workflow; check the whole server; give all of our flows a check-up; how many workflows are faulty; check the complete n8n; which automations need attention; overall quality; bulk validation; look through all flows for errors; weak spots of the instance; are there invalid workflows; find every defective flow; all workflows with errors; check the entire instance; overall health of workflows; quality of all flows; which workflows are invalid; validate every workflow; inspection of everything; scan',
  tags: ['validation'],
  guidance:
    'Use it before and after an n8n upgrade, or to see where to begin. "rule" lists the workflows that break it.',
  input: {
    purpose: purposeInput.describe('save, run or publish. Default: publish for live workflows, run for others'),
    rule: z.string().min(1).max(100).optional().describe('Only findings of this rule'),
    active: z.boolean().optional().describe('true: only live workflows; false: only others'),
    archived: z.boolean().optional().describe('Include archived'),
    limit: z.int().min(1).max(200).optional().describe('Maximum workflows per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same arguments'),
  },
  output: z.object({
    checked: z.number().describe('Number of workflows checked'),
    valid: z.number().describe('How many have no errors'),
    counts: countsShape.describe('Findings in all workflows'),
    rules: z
      .array(
        z.object({
          rule: z.string(),
          severity: z.enum(severities).describe('The highest'),
          findings: z.number(),
          workflows: z.number(),
        }),
      )
      .describe('Findings by rule, most severe and frequent first'),
    workflows: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          active: z.boolean(),
          counts: countsShape,
          rules: z.array(z.string()).describe('Its first rules, most severe first'),
        }),
      )
      .describe('Workflows with findings, worst first'),
    cursor: z.string().optional().describe('There are more'),
    catalogue: catalogueShape,
    notes: z.array(z.string()).optional().describe('What could not be compared'),
  }),
  examples: [{ title: 'Only live workflows', arguments: { active: true } }],
  async run({ purpose, rule, active, archived = false, limit, cursor }, deps, { signal }, progress) {
    const { judgeInstance, sumByRule } = await import('./judge-instance.ts');
    const { client } = deps;
    const catalogue = await deps.catalogues.ready(client.name);
    const asked = { instance: client.name, purpose, rule, active, archived };
    const { skip } = placeIn(NAME, asked, cursor);
    const all = await scanWorkflows(client, signal);
    const wanted = all.filter(
      (one) => (archived || !one.isArchived) && (active === undefined || one.active === active),
    );
    const { rules } = deps.validation?.() ?? usualSettings;
    const judged: JudgedWorkflow[] = [];
    const { each, notes } = await judgeInstance({ client, catalogue, all, wanted, purpose, rules, signal });
    for (const one of each) {
      judged.push(one);
      progress(judged.length, wanted.length, one.workflow.name);
      // Let other calls run in between.
      await nextTurn(undefined, { signal });
    }
    const told = judged.map(({ workflow, report: { findings } }) => ({
      workflow,
      findings: rule === undefined ? findings : findings.filter((one) => one.rule === rule),
    }));
    const sums = sumByRule(told);
    const rows = told
      .filter(({ findings }) => findings.length > 0)
      .map(row)
      .sort(
        (a, b) =>
          b.counts.error - a.counts.error || b.counts.warning - a.counts.warning || b.counts.info - a.counts.info,
      );
    const counts = { error: 0, warning: 0, info: 0 };
    for (const one of rows) for (const severity of severities) counts[severity] += one.counts[severity];
    const head = {
      checked: judged.length,
      valid: told.length - told.filter(({ findings }) => findings.some(({ severity }) => severity === 'error')).length,
      counts,
      rules: sums.slice(0, RULES_SHOWN),
      catalogue: catalogueOf(catalogue),
      ...(notes.length > 0 && { notes: [...notes] }),
    };
    const rest = rows.slice(skip);
    const kept = rest.slice(0, limit ?? fittingItems(rest, { ...head, cursor: 'x'.repeat(100) }));
    return {
      ...head,
      workflows: kept,
      ...(kept.length < rest.length && { cursor: cursorFor(NAME, asked, { skip: skip + kept.length }) }),
    };
  },
});

function row({ workflow: { id, name, active }, findings }: Told) {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity]++;
  const names = severities.flatMap((wanted) =>
    findings.filter(({ severity }) => severity === wanted).map(({ rule }) => rule),
  );
  return { id, name, active, counts, rules: [...new Set(names)].slice(0, RULES_OF_EACH) };
}
