import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import { gatewayStatus, readStatus, type StatusDeps } from '../status.ts';

const KEPT = 25;

export const gatewayStatusTool = toolsFor<StatusDeps>()({
  name: 'gateway_status',
  title: 'Gateway status',
  description:
    'How the gateway and each server behind it are doing: state, tools, last error, latency, restarts, and what each exposure costs.',
  effect: 'read',
  scope: 'health:check',
  category: 'gateway',
  input: z.strictObject({ server: z.string().optional().describe('Only this server') }),
  output: gatewayStatus.extend({ more: z.number().optional().describe('Servers not shown; name one with "server"') }),
  examples: [{ title: 'Everything', arguments: {} }],
  async run({ server }, deps, { principal }) {
    const status = readStatus(deps, principal);
    const chosen = status.backends.filter(({ name }) => server === undefined || name === server);
    // Those that need attention come first, so that a long list shows them.
    const sorted = chosen.sort((a, b) => Number(a.state === 'RUNNING') - Number(b.state === 'RUNNING'));
    return { ...status, backends: sorted.slice(0, KEPT), ...(sorted.length > KEPT && { more: sorted.length - KEPT }) };
  },
});
