import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { overallOf } from '../status/overall.ts';
import { statusFor } from '../status/status-for.ts';
import { noServer } from './no-server.ts';
import { gatewayStatus, type StatusDeps } from '../status/status.ts';
import { gatewayFamily } from './gateway-tool.ts';

export const gatewayStatusTool = toolsFor<StatusDeps>(gatewayFamily)({
  name: 'gateway_status',
  title: 'Gateway status',
  description:
    'Shows how the gateway and each server behind it are doing: state, tools, last error, latency, restarts, cost of each exposure.',
  effect: 'read',
  phrases:
    'is everything working; is everything up; health of the gateway; which servers are down or offline; which servers are connected; is n8n connected and reachable; what is wrong with a backend server; last error of a server; uptime and version of the gateway; how much does the tool list cost in tokens; server latency; what is not configured; are all servers running; show the state of the servers; is the gateway healthy; how is the system doing; overview of connections; is something down; why is a server failing; how many tools are there; does the connection to n8n work; check the event webhooks; anything not working right now; are you connected to my n8n; which version of sluice is this; is the connection alive; what is connected here; system status; are there any problems with the gateway; diagnose the gateway; which backends have trouble; show me what is set up; uptime; quick picture of how all backends are doing; is n8n reachable; is the link to n8n healthy; are there outages; what is the state of things; server list with states; which mcp servers do i have; why are tools missing; self check; am i online',
  input: z.strictObject({
    server: z.string().optional().describe('Only this server'),
    limit: z.int().min(1).max(1000).optional().describe('At most this many servers; default: what fits into 8 KB'),
  }),
  output: gatewayStatus.extend({
    more: z.number().optional().describe('Servers not shown: name one with "server", or raise "limit"'),
  }),
  examples: [{ title: 'Everything', arguments: {} }],
  async run({ server, limit }, deps, { principal }) {
    const whole = statusFor(deps, principal);
    // "backends" shows the error of each server; here their number is enough.
    const failing = overallOf(whole.backends, []).problems.length;
    const servers = failing > 0 ? [`Servers that are not running: ${failing} of ${whole.backends.length}`] : [];
    const status = { ...whole, problems: [...servers, ...whole.problems.slice(failing)] };
    const names = whole.backends.map(({ name }) => name);
    if (server !== undefined && !names.includes(server))
      throw noServer(server, names, ' n8n, the bridge and the store are "parts": leave "server" out.');
    const chosen = status.backends.filter(({ name }) => server === undefined || name === server);
    // Servers that need attention come first: a long list may be cut.
    const sorted = chosen.sort((a, b) => Number(a.state === 'RUNNING') - Number(b.state === 'RUNNING'));
    const kept = limit ?? fittingItems(sorted, { ...status, backends: [] });
    const backends = sorted.slice(0, kept).map((shown) => {
      const backend = deps.gateway.backend(shown.name);
      const login = backend && deps.signInLink?.(backend, principal);
      return login === undefined ? shown : { ...shown, login };
    });
    return { ...status, backends, ...(sorted.length > kept && { more: sorted.length - kept }) };
  },
});
