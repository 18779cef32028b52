import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { RUNNER } from '../../n8n/running/runner/runner-workflow.ts';
import type { Generated } from '../../n8n/generate/generated-in.ts';
import type { RunStatus } from '../run/runs.ts';
import { chosenIds } from './chosen.ts';
import { bridgeTool, instanceInput, instancesOf } from './bridge-tool.ts';
import { reportedGenerated, reportOn, type ReportedWorkflow, shownGenerated } from './report.ts';

const TOOLS_SHOWN = 30;
const LEFT_OUT_SHOWN = 10;

const plannedWorkflow = z.object({
  instance: z.string(),
  id: z.string(),
  name: z.string(),
  chosen: z.string(),
  expose: z.array(z.string()).describe('The first tools that would be listed'),
  more: z.number().optional().describe('How many more would be listed'),
  run: z.string().optional().describe('The tool that runs the workflow itself'),
  leave_out: z.array(z.object({ tool: z.string(), reason: z.string() })).describe('Tools left out, and why'),
  generate: z.boolean().describe('Whether it needs generated workflows'),
});

export const bridgePlan = bridgeTool({
  name: 'bridge_plan',
  title: 'Plan of the bridge',
  description:
    'Previews bridge_apply: which AI tools and workflows it would list, what it would generate in n8n for that, and what it would remove. Changes nothing.',
  effect: 'read',
  phrases:
    'preview the bridge; what would the bridge do; dry run of bridging; which workflows would become tools; show what would be generated first; simulate the bridge without changes; plan before applying; what will happen if i apply the bridge; show the changes of the bridge before making them; check the bridge first; what would be created in n8n; which tools would appear; rehearse; preview which workflows become tools; what are you going to put into my n8n; what would change with the bridge; which workflows would be offered; before i apply, show me; effects of the bridge; what does bridging do; planned tools; what would it do if i bridged these workflows; bridge dry run; preview tools; simulate applying the bridge; which things would be added to n8n; intended changes',
  input: z.strictObject({
    instance: instanceInput,
    workflows: z
      .array(z.string().min(1).max(200))
      .max(100)
      .optional()
      .describe('Ids or names of workflows, as for bridge_apply'),
  }),
  output: z.object({
    workflows: z.array(plannedWorkflow),
    more: z.number().optional().describe('How many more workflows are chosen; bridge_status lists all'),
    remove: z.array(reportedGenerated).describe('Generated workflows whose source is gone or no longer chosen'),
    writes: z.array(z.string()).describe('New objects in n8n'),
    not_chosen: z.number().describe('Workflows that could be bridged, but are not chosen'),
    applied: z.boolean().describe('Whether it was allowed before. Then n8n is kept in sync without asking'),
  }),
  examples: [{ title: 'What would happen', arguments: {} }],
  async run({ instance, workflows: asked }, deps, { signal }) {
    const planned: z.output<typeof plannedWorkflow>[] = [];
    const remove: ReturnType<typeof shownGenerated>[] = [];
    let notChosen = 0;
    let applied = true;
    let runners = 0;
    let hasEndpoints = false;
    for (const name of instancesOf(deps, instance)) {
      await deps.bridge.refresh(name);
      const more = asked ? chosenIds(deps, name, asked) : [];
      const report = await reportOn(deps, name, signal, more);
      const found = deps.bridge.found(name);
      const asIf = found.filter((one) => more.includes(one.id) && one.chosen === undefined && one.trigger);
      const all = [...deps.runs.status(name), ...asIf.map((one) => deps.runs.judge(name, one))];
      const runs = new Map(all.map((one) => [one.id, one]));
      const chosen = report.workflows.filter((one) => one.chosen !== undefined);
      notChosen += report.workflows.length - chosen.length;
      applied &&= report.applied;
      planned.push(...chosen.map((one) => plan(name, one, runs.get(one.id))));
      const wanted = new Set(chosen.filter((one) => isGenerated(one)).map(({ id }) => id));
      const projects = new Set([...runs.values()].flatMap(({ generated: g }) => (g ? [g.project ?? ''] : [])));
      runners += projects.size;
      hasEndpoints ||= wanted.size > 0;
      const isNeeded = ({ mark }: Generated) => (mark.kind === RUNNER ? projects : wanted).has(mark.source ?? '');
      remove.push(...report.ours.filter((one) => !isNeeded(one)).map(shownGenerated));
    }
    const writes = [
      ...(hasEndpoints
        ? [
            'a workflow named "[sluice] …" and tagged sluice-bridge for each workflow with AI tools (plus one for each tool that needs its own)',
          ]
        : []),
      ...(runners > 0
        ? [
            'a workflow "[sluice] runner" in each project, which calls the workflows that begin with "When Executed by Another Workflow"',
          ]
        : []),
      ...(hasEndpoints || runners > 0
        ? ['a credential "[sluice] bridge …" with a random secret, one in each project']
        : []),
    ];
    const head = { remove: remove.slice(0, 10), writes, not_chosen: notChosen, applied };
    const kept = planned.slice(0, fittingItems(planned, head));
    return {
      ...head,
      workflows: kept,
      ...(kept.length < planned.length && { more: planned.length - kept.length }),
    };
  },
});

const isGenerated = ({ tools }: ReportedWorkflow): boolean =>
  tools.some(({ state }) => state === 'waiting' || state === 'listed' || state === 'broken');

function plan(instance: string, one: ReportedWorkflow, ran?: RunStatus): z.output<typeof plannedWorkflow> {
  const expose = one.tools.filter(({ state }) => state === 'listed' || state === 'waiting').map(({ tool }) => tool);
  const run = ran?.tool ?? ran?.generated?.tool ?? ran?.would;
  const leaveOut = one.tools.flatMap(({ tool, reason, state }) =>
    state === 'listed' || reason === undefined ? [] : [{ tool, reason }],
  );
  if (run === undefined && ran?.reason !== undefined) leaveOut.unshift({ tool: 'run_…', reason: ran.reason });
  return {
    instance,
    id: one.id,
    name: one.name,
    chosen: one.chosen ?? 'asked',
    expose: expose.slice(0, TOOLS_SHOWN),
    ...(expose.length > TOOLS_SHOWN && { more: expose.length - TOOLS_SHOWN }),
    ...(run !== undefined && { run }),
    leave_out: leaveOut.slice(0, LEFT_OUT_SHOWN),
    generate: isGenerated(one) || ran?.generated !== undefined,
  };
}
