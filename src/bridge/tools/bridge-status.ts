import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { bridgeTool, instanceInput, instancesOf } from './bridge-tool.ts';
import { type Report, reportedGenerated, reportedTool, reportedWorkflow, reportOn, shownGenerated } from './report.ts';

const NAME = 'bridge_status';
const GENERATED_SHOWN = 5;
const TOOLS_SHOWN = 15;

const sharedFile = z.object({
  state: z.enum(['absent', 'read', 'rejected']).describe('rejected: it makes no sense, and what it said before stays'),
  file: z.string(),
  reason: z.string().optional(),
  workflows: z.number().optional().describe('How many it tells of'),
  tools: z.number().optional(),
});

const row = reportedWorkflow.omit({ tools: true }).extend({
  instance: z.string(),
  tools: z.array(reportedTool).optional(),
  more_tools: z.number().optional().describe('How many more it has; "workflow" shows all'),
  could: z.number().optional().describe('How many AI tools of a workflow that nobody chose could be bridged'),
});

export const bridgeStatus = bridgeTool({
  name: NAME,
  title: 'Status of the bridge',
  description:
    'What of n8n is bridged as tools, what could be, and what cannot and why; and which workflows Sluice generated in n8n for it. Chosen workflows come first. "workflow" shows one in full.',
  effect: 'read',
  scope: 'bridge:read',
  category: 'bridge',
  tags: ['n8n', 'bridge'],
  guidance: 'Look here when a tool from n8n is missing. bridge_plan says what bridge_apply would change.',
  input: z.strictObject({
    instance: instanceInput,
    workflow: z.string().min(1).max(200).optional().describe('Id or name of a workflow: only that one'),
    chosen: z.boolean().optional().describe('Only those that somebody chose, or only the others'),
    cursor: z.string().optional().describe('From the answer before, with the same arguments'),
  }),
  output: z.object({
    instances: z.array(
      z.object({
        instance: z.string(),
        applied: z.boolean().describe('Whether workflows may be generated there'),
        problem: z.string().optional(),
        listed: z.number().describe('AI tools that are listed, and workflows that can be run'),
        broken: z.number(),
        impossible: z.number(),
        generated: z.object({ count: z.number(), workflows: z.array(reportedGenerated) }),
        others: z.number().optional().describe('Workflows there that another Sluice generated'),
      }),
    ),
    workflows: z.array(row),
    file: sharedFile.optional().describe('The shared file (TOOLS_SHARED_PATH), where there is to be one'),
    cursor: z.string().optional().describe('There are more'),
    note: z.string().optional(),
  }),
  examples: [
    { title: 'Everything', arguments: {} },
    { title: 'Why a tool is missing', arguments: { workflow: 'My agent' } },
  ],
  async run({ instance, workflow, chosen, cursor }, deps, { signal }) {
    const asked = { instance, workflow, chosen };
    const { skip } = placeIn(NAME, asked, cursor);
    const reports: Report[] = [];
    for (const name of instancesOf(deps, instance)) reports.push(await reportOn(deps, name, signal));
    const rows = reports
      .flatMap((report) => report.workflows.map((one) => ({ instance: report.instance, ...one })))
      .filter((one) => workflow === undefined || one.id === workflow || one.name === workflow)
      .filter((one) => chosen === undefined || (one.chosen !== undefined) === chosen)
      .map(({ tools, ...one }) => {
        if (workflow !== undefined) return { ...one, tools };
        if (one.chosen === undefined) {
          const could = tools.filter(({ state }) => state === 'waiting').length;
          return { ...one, ...(tools.length > 0 && { could }) };
        }
        // What needs a look comes first.
        const sorted = tools.toSorted((a, b) => Number(a.state === 'listed') - Number(b.state === 'listed'));
        const more = tools.length - TOOLS_SHOWN;
        return { ...one, tools: sorted.slice(0, TOOLS_SHOWN), ...(more > 0 && { more_tools: more }) };
      });
    if (workflow !== undefined && rows.length === 0) {
      throw new AppError(
        'not_found',
        `No workflow ${workflow.slice(0, 100)} has AI tools or can be run as one. bridge_status without "workflow" lists those that can.`,
      );
    }
    const file = deps.bridge.shared?.()?.state();
    const head = { instances: reports.map(summary), ...(file && { file: sharedFile.parse(file) }) };
    const rest = rows.slice(skip);
    const kept = rest.slice(0, fittingItems(rest, { ...head, cursor: 'x'.repeat(100), note: 'x'.repeat(200) }));
    const note = noteOn(reports);
    return {
      ...head,
      workflows: kept,
      ...(kept.length < rest.length && { cursor: cursorFor(NAME, asked, { skip: skip + kept.length }) }),
      ...(note !== undefined && { note }),
    };
  },
});

function summary({ instance, applied, problem, workflows, ours, others }: Report) {
  const tools = workflows.filter(({ chosen }) => chosen !== undefined).flatMap((one) => one.tools);
  const count = (state: string) => tools.filter((tool) => tool.state === state).length;
  return {
    instance,
    applied,
    ...(problem !== undefined && { problem }),
    listed: count('listed') + workflows.filter(({ run }) => run !== undefined).length,
    broken: count('broken'),
    impossible: count('impossible'),
    generated: { count: ours.length, workflows: ours.slice(0, GENERATED_SHOWN).map(shownGenerated) },
    ...(others.length > 0 && { others: others.length }),
  };
}

function noteOn(reports: readonly Report[]): string | undefined {
  if (reports.length === 0) return 'No n8n is bridged: connect one, and see that bridge.enabled is not false.';
  const waiting = reports.some(
    ({ applied, workflows }) =>
      !applied &&
      workflows.some(({ chosen, tools }) => chosen !== undefined && tools.some(({ state }) => state === 'waiting')),
  );
  if (waiting) return 'Nothing is generated in n8n yet: bridge_plan shows what would be, bridge_apply does it.';
  if (reports.every(({ workflows }) => workflows.every(({ chosen }) => chosen === undefined)))
    return 'No workflow is chosen: tag one "mcp" in n8n, or name it in bridge_apply.';
  return undefined;
}
