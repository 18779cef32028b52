import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { counted, quoted, someOf } from '../../kernel/some-of.ts';
import { generatedIn } from '../../n8n/generate/generated-in.ts';
import { ownerOf } from '../../n8n/generate/owner.ts';
import { namedWorkflow } from '../../n8n/workflows/dependents.ts';
import { type BridgeToolDeps, bridgeTool, instanceInput, instancesOf } from './bridge-tool.ts';
import { droppedIds } from './chosen.ts';
import { removeGenerated } from '../remove-generated.ts';
import { setConsent } from '../consent.ts';
import { reportedGenerated, shownGenerated } from './report.ts';

const SHOWN = 20;

export const bridgeCleanup = bridgeTool({
  name: 'bridge_cleanup',
  title: 'Clean up the bridge',
  description:
    'Removes everything Sluice generated in n8n for the bridge: workflows, their credential and their tag. bridge_status lists them. Their AI tools disappear until bridge_apply. "workflows" takes back only some. User workflows are not touched.',
  effect: 'delete',
  phrases:
    'remove the bridge; uninstall the bridge; stop offering workflows as tools; delete what sluice generated in n8n; clean up generated workflows; take a workflow back from the tools; undo bridging; disable the bridge; hide a workflow from the assistant; take the bridge away; delete the generated workflows; no longer expose n8n to the assistant; revert what the bridge did in n8n; remove a workflow from the bridge; unexpose a workflow; turn the bridge off; remove helper workflows made by sluice; withdraw my workflows from the assistants; sluice put things into my n8n, take all that out; no more n8n tools; remove generated stuff; the ai should not be able to call my workflow; clean my n8n of bridge leftovers; unbridge; roll back the bridge; dismantle the bridge; take my flow off the tool list; stop exposing; remove tools made from n8n; hide my automation from agents; wipe generated workflows; bridge off; undo the bridge',
  input: z.strictObject({
    instance: instanceInput,
    workflows: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(100)
      .optional()
      .describe('Ids or names of workflows that bridge_apply chose. Removes only their tools and generated workflows'),
    others: z
      .boolean()
      .optional()
      .describe('Also remove what another Sluice generated, for example one that no longer exists'),
  }),
  output: z.object({
    removed: z.array(reportedGenerated.extend({ instance: z.string() })),
    more: z.number().optional().describe('How many more were removed'),
    credentials: z.number(),
    left: z.number().optional().describe('Workflows of another Sluice that remain'),
  }),
  examples: [
    { title: 'Everything', arguments: {} },
    { title: 'One workflow', arguments: { workflows: ['My agent'] } },
  ],
  async preview({ instance, workflows, others = false }, deps, { signal }) {
    const says: string[] = [];
    for (const name of instancesFor(deps, { instance, workflows, others })) {
      says.push(workflows ? await willDrop(deps, name, workflows) : await willRemove(deps, name, others, signal));
    }
    return says.join(' ');
  },
  async run({ instance, workflows, others = false }, deps, { signal, principal, trace }) {
    const names = instancesFor(deps, { instance, workflows, others });
    const removed: (z.output<typeof reportedGenerated> & { instance: string })[] = [];
    let credentials = 0;
    let left = 0;
    for (const name of names) {
      const done = workflows
        ? await dropped(deps, name, workflows, signal)
        : await everything(deps, name, others, signal);
      removed.push(...done.removed.map((one) => ({ instance: name, ...one })));
      credentials += done.credentials;
      left += done.left;
      deps.bridge.events.record(
        { type: 'bridge.removed', instance: name, principal: principal.id, workflows: done.removed.length },
        { traceId: trace.traceId },
      );
    }
    return {
      removed: removed.slice(0, SHOWN),
      ...(removed.length > SHOWN && { more: removed.length - SHOWN }),
      credentials,
      ...(left > 0 && { left }),
    };
  },
});

function instancesFor(
  deps: BridgeToolDeps,
  wanted: { instance: string | undefined; workflows: readonly string[] | undefined; others: boolean },
): readonly string[] {
  const names = instancesOf(deps, wanted.instance);
  if (wanted.workflows && wanted.others)
    throw new AppError('invalid_input', '"others" removes everything another Sluice generated. Leave out "workflows".');
  if (wanted.workflows && names.length > 1)
    throw new AppError(
      'invalid_input',
      `Several n8n are bridged. Set "instance" to the one with these workflows: ${names.join(', ')}.`,
    );
  return names;
}

async function willRemove(deps: BridgeToolDeps, instance: string, others: boolean, signal: AbortSignal) {
  const { bridge } = deps;
  const owner = await ownerOf(bridge.records);
  const generated = await generatedIn(bridge.instances.get(instance), signal);
  const meant = generated.filter(({ mark }) => others || mark.owner === owner);
  const what =
    meant.length === 0
      ? `It finds no generated workflow in the n8n ${instance}`
      : `It deletes ${counted(meant.length, 'generated workflow')} from the n8n ${instance} (${someOf(meant.map(({ workflow }) => namedWorkflow(workflow)))})`;
  const servers = deps.endpoints.state(instance).endpoints.length;
  return `${what}, revokes the consent and the choices of bridge_apply, and stops ${counted(servers, 'server')} of AI tools. User workflows stay.`;
}

async function willDrop({ bridge, ...deps }: BridgeToolDeps, instance: string, workflows: readonly string[]) {
  await bridge.refresh(instance);
  const ids = droppedIds({ bridge, ...deps }, instance, workflows);
  const named = ids.map((id) => {
    const found = bridge.found(instance).find((one) => one.id === id);
    return found ? `${quoted(found.name)} (${id})` : id;
  });
  return `It takes back the choice of ${someOf(named)} in the n8n ${instance}, and removes their tools and what was generated for them. The workflows stay.`;
}

async function everything(deps: BridgeToolDeps, instance: string, others: boolean, signal: AbortSignal) {
  const { bridge } = deps;
  const gone = await bridge.exclusively(instance, async (found, stopped) => {
    await setConsent(bridge, instance, false);
    const until = AbortSignal.any([signal, stopped]);
    const client = bridge.instances.get(instance);
    const removed = await removeGenerated({ client, records: bridge.records, others }, until);
    await deps.endpoints.removed(instance);
    await deps.runs.removed(instance);
    await deps.update(instance, found, until);
    return removed;
  });
  if (bridge.asked.of(instance).length > 0) {
    await bridge.asked.drop(instance);
    await bridge.refresh(instance);
  }
  return gone;
}

/** Takes back the choice of some workflows. As when a tag is removed, what was generated for them is deleted. */
async function dropped(deps: BridgeToolDeps, instance: string, workflows: readonly string[], signal: AbortSignal) {
  const { bridge } = deps;
  const owner = await ownerOf(bridge.records);
  const ours = async () =>
    (await generatedIn(bridge.instances.get(instance), signal)).filter(({ mark }) => mark.owner === owner);
  await bridge.refresh(instance);
  const ids = droppedIds(deps, instance, workflows);
  const before = await ours();
  await bridge.asked.drop(instance, ids);
  await bridge.exclusively(instance, (found, stopped) =>
    deps.update(instance, found, AbortSignal.any([signal, stopped])),
  );
  const left = new Set((await ours()).map(({ workflow }) => workflow.id));
  return {
    removed: before.filter(({ workflow }) => !left.has(workflow.id)).map(shownGenerated),
    credentials: 0,
    left: 0,
  };
}
