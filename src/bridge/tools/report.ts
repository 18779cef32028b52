import { z } from 'zod';
import { exposedName } from '../../gateway/names.ts';
import { messageOf } from '../../kernel/errors.ts';
import { mayGenerate } from '../consent.ts';
import type { Found } from '../discover.ts';
import type { SourceVerdict } from '../ai-tools/wanted-tools.ts';
import type { Endpoint } from '../ai-tools/generate/endpoint-group.ts';
import { type Generated, generatedIn } from '../../n8n/generate/generated-in.ts';
import { ownerOf } from '../../n8n/generate/owner.ts';
import type { ToolVerdict } from '../ai-tools/wanted-tools.ts';
import type { BridgeToolDeps } from './bridge-tool.ts';

export const reportedTool = z.object({
  tool: z.string().describe('Its name, or future name'),
  state: z
    .enum(['listed', 'waiting', 'broken', 'impossible', 'excluded'])
    .describe('waiting: needs bridge_apply; broken: n8n cannot load it; impossible: it cannot be bridged'),
  reason: z.string().optional(),
});

export const reportedWorkflow = z.object({
  id: z.string(),
  name: z.string(),
  chosen: z.string().optional().describe('Why: tag, config, available_in_mcp, asked or file. Absent: not chosen'),
  run: z.string().optional().describe('The tool that runs the workflow'),
  could_run: z.string().optional().describe('The tool it would be if it were chosen'),
  run_reason: z.string().optional().describe('Why the workflow is not a tool'),
  tools: z.array(reportedTool).describe('AI tools in it'),
});

export type ReportedTool = z.output<typeof reportedTool>;
export type ReportedWorkflow = z.output<typeof reportedWorkflow>;

export interface Report {
  readonly instance: string;
  readonly applied: boolean;
  readonly workflows: readonly ReportedWorkflow[];
  /** What we generated. */
  readonly ours: readonly Generated[];
  /** What another Sluice generated. */
  readonly others: readonly Generated[];
  readonly problem?: string;
}

const NOT_MEANT =
  'Only the workflow itself is chosen, not its AI tools. Choose them with a tag, or with its name in bridge_apply.';

/** What is bridged, could be or cannot be, and what was generated. Workflows in `asked` count as chosen. */
export async function reportOn(
  deps: BridgeToolDeps,
  instance: string,
  signal: AbortSignal,
  asked: readonly string[] = [],
): Promise<Report> {
  const { bridge, endpoints, runs } = deps;
  // If n8n cannot be reached, still report what is known: that is when somebody looks at the status.
  let trouble: string | undefined;
  const unlessAway = async <T>(ask: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted) throw error;
      trouble ??= bridge.redact(messageOf(error));
      return otherwise;
    }
  };
  if (bridge.state(instance).state === 'starting') await unlessAway(() => bridge.refresh(instance), undefined);
  const found = bridge.found(instance);
  const { records } = bridge;
  const applied = await unlessAway(() => mayGenerate(bridge, instance), false);
  const owner = await ownerOf(records);
  const generated = await unlessAway(() => generatedIn(bridge.instances.get(instance), signal), []);
  const state = endpoints.state(instance);
  const runStatus = new Map(runs.status(instance).map((one) => [one.id, one]));
  const runOf = (one: Found) =>
    runStatus.get(one.id) ?? (one.trigger && !one.archived && !one.excluded ? runs.judge(instance, one) : undefined);
  const verdicts = new Map(endpoints.judge(instance, found).map((one) => [one.found.id, one]));
  const workflows = found
    .map((one) => ({ one, run: runOf(one) }))
    .filter(({ one, run }) => one.aiTools.length > 0 || runStatus.has(one.id) || run?.would !== undefined)
    .map(({ one, run }): ReportedWorkflow => {
      const verdict = verdicts.get(one.id);
      const asAsked = asked.includes(one.id) ? 'asked' : undefined;
      const toolsChosen = verdict?.chosen ?? (verdict && asAsked);
      const chosen = toolsChosen ?? one.chosen ?? asAsked;
      const areMeant = toolsChosen !== undefined || chosen === undefined;
      const isRun = runStatus.has(one.id) || asAsked !== undefined;
      return {
        id: one.id,
        name: one.name,
        ...(chosen !== undefined && { chosen }),
        ...(run?.tool !== undefined && { run: run.tool }),
        ...(run?.would !== undefined && { could_run: run.would }),
        ...(isRun && run?.reason !== undefined && { run_reason: run.reason }),
        tools: verdict ? verdict.tools.map((tool) => toolState(verdict, tool, areMeant)) : [],
      };
    })
    .sort((a, b) => Number(a.chosen === undefined) - Number(b.chosen === undefined) || (a.name < b.name ? -1 : 1));
  const watch = bridge.state(instance);
  const problem = watch.state === 'failing' ? watch.reason : (trouble ?? state.problem);
  return {
    instance,
    applied,
    workflows,
    ours: generated.filter(({ mark }) => mark.owner === owner),
    others: generated.filter(({ mark }) => mark.owner !== owner),
    ...(problem !== undefined && { problem }),
  };

  function toolState(
    verdict: SourceVerdict,
    { tool, name, reason, excluded }: ToolVerdict,
    isMeant: boolean,
  ): ReportedTool {
    const exposed = exposedName(verdict.slug, name);
    if (reason !== undefined) return { tool: exposed, state: excluded ? 'excluded' : 'impossible', reason };
    const lack = state.lacking.find((one) => one.workflow === verdict.found.id && one.tool === name);
    if (lack) return { tool: exposed, state: 'broken', reason: lack.reason };
    const endpoint = state.endpoints.find(
      (one) => one.source === verdict.found.id && one.tools.some((member) => member.name === name),
    );
    if (!endpoint)
      return isMeant ? { tool: exposed, state: 'waiting' } : { tool: exposed, state: 'excluded', reason: NOT_MEANT };
    if (!tool.isToolkit) return { tool: listedAs(verdict.slug, name, endpoint), state: 'listed' };
    return {
      tool: `${verdict.slug}__*`,
      state: 'listed',
      reason: `It provides ${endpoint.listed.length} tools of another server.`,
    };
  }
}

/** Some node types choose their own tool name. If exactly one listed name is unknown, it is this tool's. */
function listedAs(slug: string, name: string, { listed, tools }: Endpoint): string {
  const strange = listed.filter((one) => !tools.some((tool) => tool.name === one));
  const [only] = strange;
  return exposedName(slug, listed.includes(name) || strange.length !== 1 || only === undefined ? name : only);
}

export const reportedGenerated = z.object({
  id: z.string(),
  name: z.string(),
  for: z.string().optional().describe('Id of the workflow it was made from'),
  active: z.boolean(),
});

export const shownGenerated = ({ workflow: { id, name, active }, mark }: Generated) => ({
  id,
  name,
  ...(mark.source !== undefined && { for: mark.source }),
  active,
});
