import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { setConsent } from '../consent.ts';
import { chosenIds } from './chosen.ts';
import { bridgeTool, instanceInput, instancesOf } from './bridge-tool.ts';
import { reportOn } from './report.ts';

export const bridgeApply = bridgeTool({
  name: 'bridge_apply',
  title: 'Apply the bridge',
  description:
    'Turns the chosen n8n workflows and AI tools into MCP tools: generates in n8n what they need to be called, and keeps them in sync from then on. "workflows" adds to those that tags and the configuration choose. Preview it with bridge_plan.',
  effect: 'update',
  phrases:
    'offer workflows as tools; turn n8n workflows into mcp tools; expose a workflow to the assistant; make ai tools of n8n callable; set up the bridge; let a model call my workflow; publish a workflow as a tool; install the bridge; enable bridging; use my automation as a tool; share a workflow with an agent; make my workflow available as a tool; i want to call my automation from claude; publish workflows to the ai; let ai agents use my n8n tools; connect n8n tools to the gateway; create tools from workflows; add a workflow to the bridge; activate the bridge; go ahead with the bridge; bring n8n tools into mcp; i want claude to be able to use my workflow; make n8n tools callable here; offer my flow to agents; bridge my workflow; turn an automation into a function; publish to mcp; connect my n8n agent tools; share this workflow as a tool; make it callable by the ai; install what is needed in n8n for tools; agents should be able to call my flow; use a workflow as function; add my automation to the tool list; make the flow accessible for ai; expose it; connect workflows to mcp; carry out the bridge plan; update the bridge; bridge on',
  guidance: "The user's own workflows are never changed. bridge_cleanup undoes everything.",
  input: z.strictObject({
    instance: instanceInput,
    workflows: z
      .array(z.string().min(1).max(200))
      .max(100)
      .optional()
      .describe('Ids or names of workflows to choose, as a tag would. With several n8n, set "instance" too'),
  }),
  output: z.object({
    instances: z.array(z.object({ instance: z.string(), generated: z.number(), problem: z.string().optional() })),
    tools: z.array(z.string()).describe('Tools now listed'),
    more: z.number().optional().describe('How many more are listed'),
    broken: z
      .array(z.object({ tool: z.string(), reason: z.string() }))
      .describe('Tools that n8n cannot load, and requested workflows that cannot run as a tool'),
  }),
  examples: [
    { title: 'Every tagged workflow', arguments: {} },
    { title: 'One workflow by name', arguments: { workflows: ['My agent'] } },
  ],
  async run({ instance, workflows = [] }, deps, { signal, principal, trace }, progress) {
    const names = instancesOf(deps, instance);
    if (names.length === 0) throw new AppError('unavailable', 'No n8n is bridged. Connect one first.');
    if (workflows.length > 0 && names.length > 1) {
      throw new AppError(
        'invalid_input',
        `Several n8n are bridged. Set "instance" to the one with these workflows: ${names.join(', ')}.`,
      );
    }
    const tools: string[] = [];
    const broken: { tool: string; reason: string }[] = [];
    const instances: { instance: string; generated: number; problem?: string }[] = [];
    for (const name of names) {
      await deps.bridge.refresh(name);
      const ids = chosenIds(deps, name, workflows);
      if (ids.length > 0) await deps.bridge.asked.add(name, ids);
      await deps.bridge.exclusively(name, async (found, stopped) => {
        // Inside the lock: a removal at the same time would undo this, or this would restore what it deletes.
        await setConsent(deps.bridge, name, true);
        const until = AbortSignal.any([signal, stopped]);
        await deps.endpoints.align(name, found, until, progress, true);
        await deps.update(name, found, until);
      });
      const report = await reportOn(deps, name, signal);
      const all = report.workflows.flatMap((one) => one.tools);
      const listed = all.filter(({ state }) => state === 'listed').map(({ tool }) => tool);
      const runs = report.workflows.flatMap(({ run }) => run ?? []);
      tools.push(...listed, ...runs);
      broken.push(
        ...report.workflows.flatMap(({ id, name: called, run_reason: reason, tools: inside }) =>
          // If you name an agent that cannot run as a tool, you mean its AI tools.
          ids.includes(id) && reason !== undefined && inside.length === 0
            ? [{ tool: `the workflow ${shown(called)}`, reason }]
            : [],
        ),
        ...all.flatMap(({ tool, state, reason }) => (state === 'broken' ? [{ tool, reason: reason ?? '' }] : [])),
      );
      instances.push({
        instance: name,
        generated: report.ours.length,
        ...(report.problem !== undefined && { problem: report.problem }),
      });
      deps.bridge.events.record(
        {
          type: 'bridge.applied',
          instance: name,
          principal: principal.id,
          generated: report.ours.length,
          tools: listed.length + runs.length,
        },
        { traceId: trace.traceId },
      );
    }
    const head = { instances, broken: broken.slice(0, 10) };
    const kept = tools.slice(0, fittingItems(tools, head));
    return { ...head, tools: kept, ...(kept.length < tools.length && { more: tools.length - kept.length }) };
  },
});
