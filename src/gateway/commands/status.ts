import { callOwn } from '../../cli/client.ts';
import { exit } from '../../cli/frame.ts';
import { reachRunning } from '../../cli/reach.ts';
import { cut, firstLine, table } from '../../cli/table.ts';
import type { Place } from '../../host/place.ts';
import { shortDuration } from '../../host/short-duration.ts';
import type { Style, Terminal } from '../../host/terminal.ts';
import type { Action } from '../../kernel/command.ts';
import type { GatewayStatus } from '../status/status.ts';
import { eventLines } from './event-lines.ts';
import { eventTroubles } from './event-troubles.ts';
import { overallLines, partLines } from './part-lines.ts';
import { replicaLines } from './replica-lines.ts';

const EVERY_SERVER = 1000;

export function readGatewayStatus(client: Parameters<typeof callOwn>[0]): Promise<GatewayStatus> {
  return callOwn<GatewayStatus>(client, 'gateway_status', { limit: EVERY_SERVER });
}

export function statusCommand(place: Place): Action {
  const { terminal } = place;
  return {
    usage: '[--json]',
    example: 'sluice status',
    options: { json: { type: 'boolean', describe: 'Print the answer of gateway_status' } },
    async run({ values }) {
      await using client = await reachRunning(place);
      const status = await readGatewayStatus(client);
      terminal.print(values.json ? JSON.stringify(status, null, 2) : statusText(status, terminal));
      return exit.done;
    },
  };
}

type Backend = GatewayStatus['backends'][number];

const colours: Record<Backend['state'], Style> = {
  RUNNING: 'green',
  STARTING: 'yellow',
  DEGRADED: 'yellow',
  FAILED: 'red',
  STOPPED: 'dim',
};

/** The status as a person reads it. */
export function statusText(
  status: GatewayStatus,
  { width, paint }: Pick<Terminal, 'width' | 'paint'>,
  now: number = Date.now(),
): string {
  const { version, uptimeSeconds, tools, sessions = 0, url } = status;
  const up = shortDuration(uptimeSeconds * 1000);
  const counts = `${counted(tools, 'tool')}, ${counted(sessions, 'session')}`;
  const head = [
    `Sluice ${version}, up ${up}, ${counts}`,
    ...(url === undefined ? [] : [`MCP at ${url}`]),
    ...overallLines(status, { width, paint }),
  ];
  const backends = [...status.backends].sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = table([headings, ...backends.map((backend) => rowOf(backend, now))]).map((line, index) => {
    const state = backends[index - 1]?.state;
    const shown = cut(line, width);
    return state ? shown.replace(` ${state} `, ` ${paint(colours[state], state)} `) : paint('bold', shown);
  });
  const servers =
    backends.length > 0 ? lines : ['No servers are configured. `sluice init` imports them from your other clients.'];
  const parts = partLines(status.parts, { width, paint }, now);
  const costs = table([
    ['EXPOSURE', 'TOOLS', 'BYTES', 'TOKENS'],
    ...Object.entries(status.exposure).map(([name, cost]) => [
      name,
      ...[cost.tools, cost.bytes, cost.tokens].map(number),
    ]),
  ]);
  const missing = status.notConfigured.map(({ name, reason }) => cut(`  ${name}: ${firstLine(reason)}`, width));
  const events = [...eventTroubles(status.events), ...eventLines(status.events, now)];
  return [
    ...head,
    '',
    ...servers,
    ...(parts.length > 0 ? ['', ...parts] : []),
    ...(status.replicas ? ['', ...replicaLines(status.replicas, { width, paint }, now)] : []),
    '',
    'What tools/list costs a client:',
    paint('bold', costs[0] as string),
    ...costs.slice(1),
    ...(missing.length > 0 ? ['', 'Not started:', ...missing] : []),
    ...(events.length > 0 ? ['', 'Events:', ...events.map((line) => cut(`  ${line}`, width))] : []),
  ].join('\n');
}

const headings = ['SERVER', 'STATE', 'SINCE', 'TOOLS', 'P50', 'P95', 'RESTARTS', 'LAST ERROR'];

function rowOf({ name, state, since, tools, p50Ms, p95Ms, restarts, lastError, retryAt, held }: Backend, now: number) {
  const next = retryAt === undefined ? '' : ` (next attempt in ${shortDuration(Date.parse(retryAt) - now)})`;
  const holding = held ? `${counted(held.length, 'changed tool')} held back; ` : '';
  const error = lastError
    ? `${shortDuration(now - Date.parse(lastError.at))} ago: ${firstLine(lastError.message)}${next}`
    : '';
  return [
    name,
    state,
    shortDuration(now - Date.parse(since)),
    String(tools),
    milliseconds(p50Ms),
    milliseconds(p95Ms),
    String(restarts),
    `${holding}${error}`,
  ];
}

const milliseconds = (value: number | undefined) => (value === undefined ? '-' : `${value} ms`);
const number = (value: number) => value.toLocaleString('en-US');
const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
