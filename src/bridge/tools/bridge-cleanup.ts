import { z } from 'zod';
import { bridgeTool, instanceInput, instancesOf } from './bridge-tool.ts';
import { removeGenerated } from '../generate/remove.ts';
import { setConsent } from '../consent.ts';
import { reportedGenerated } from './report.ts';

const SHOWN = 20;

export const bridgeCleanup = bridgeTool({
  name: 'bridge_cleanup',
  title: 'Clean up the bridge',
  description:
    'Removes everything Sluice generated in n8n for the bridge: workflows, their credential and their tag; bridge_status lists them. AI tools are gone with it until bridge_apply. No workflow of a user is touched.',
  effect: 'delete',
  scope: 'bridge:write',
  category: 'bridge',
  tags: ['n8n', 'bridge'],
  input: z.strictObject({
    instance: instanceInput,
    others: z
      .boolean()
      .optional()
      .describe('Also what another Sluice generated: for what was left behind by one that is gone'),
  }),
  output: z.object({
    removed: z.array(reportedGenerated.extend({ instance: z.string() })),
    more: z.number().optional().describe('How many more were removed'),
    credentials: z.number(),
    left: z.number().optional().describe('Workflows of another Sluice that are still there'),
  }),
  async run({ instance, others = false }, deps, { signal, principal, trace }) {
    const removed: (z.output<typeof reportedGenerated> & { instance: string })[] = [];
    let credentials = 0;
    let left = 0;
    for (const name of instancesOf(deps, instance)) {
      const done = await deps.bridge.exclusively(name, async (found, stopped) => {
        await setConsent(deps.bridge, name, false);
        const until = AbortSignal.any([signal, stopped]);
        const client = deps.bridge.instances.get(name);
        const gone = await removeGenerated({ client, records: deps.bridge.records, others }, until);
        await deps.endpoints.removed(name);
        await deps.runs.removed(name);
        await deps.update(name, found, until);
        return gone;
      });
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
