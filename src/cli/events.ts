import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import type { FeedWish } from '../events/event-feed.ts';
import type { StoredEvent } from '../store/store.ts';
import { exit, UsageError } from './frame.ts';
import { untilSignal } from './interrupt.ts';
import type { GatewayAccess } from './reach.ts';
import { harmless } from '../kernel/harmless.ts';
import { cut } from './table.ts';
import type { Terminal } from '../host/terminal.ts';

const RECENT = 50;
const RECENT_BEFORE_LIVE = 10;
const RETRY_MS = 500;

/** The option of the command, and the filter it stands for. */
const filters = {
  type: ['event_type', 'Such as tool.call_failed, or tool.* for all of a kind'],
  trace: ['trace_id', 'Only what belongs to this trace'],
  status: ['status', 'success, failure or pending'],
  source: ['source', 'Only what is about this server or other source'],
  tool: ['tool', 'Only what is about this tool'],
  key: ['principal', 'Only what this key or user did, by its id'],
  text: ['text', 'Only what has this text in it'],
  since: ['since', `An ISO time, or how long ago: 15m, 2h, 7d (without it the last ${RECENT})`],
  until: ['until', 'The same for the end'],
} as const;

export function eventsCommand(access: GatewayAccess, terminal: Terminal): Command {
  return {
    name: 'events',
    summary: 'Shows what happened: calls, servers starting and failing, configuration changes',
    usage: 'sluice events [--follow] [--type T] [--trace ID] [--since 1h] [--audit] [--json]',
    example: "sluice events --type 'tool.*' --since 1h",
    options: {
      follow: { type: 'boolean', short: 'f', describe: 'Go on with what happens, until Ctrl-C' },
      ...Object.fromEntries(
        Object.entries(filters).map(([name, [, describe]]) => [name, { type: 'string', describe }] as const),
      ),
      audit: { type: 'boolean', describe: 'Only who changed what: servers, keys, logins, configuration' },
      json: { type: 'boolean', describe: 'Print each event as a line of JSON' },
    },
    async run({ values }) {
      const { follow = false, json = false, audit = false } = values;
      if (follow && values.until !== undefined) throw new UsageError('--follow has no end, so there is no --until');
      const filter: Record<string, string> = audit ? { audit: 'true' } : {};
      for (const [name, [key]] of Object.entries(filters)) {
        const value = values[name];
        if (typeof value === 'string') filter[key] = value;
      }
      const begin = values.since === undefined ? { last: follow ? RECENT_BEFORE_LIVE : RECENT } : { after: 0 };
      let shown = 0;
      const show = ({ id: _, ...event }: StoredEvent) => {
        shown++;
        terminal.print(json ? JSON.stringify(event) : cut(lineOf(event), terminal.width));
      };
      if (follow) return followUntilStopped(access, terminal, { filter, ...begin, live: true }, show);
      const read = await readEvents(access, { filter, ...begin, live: false }, show);
      if (!read) throw noGateway(access);
      if (shown === 0 && !json) terminal.say('Nothing of that kind happened.');
      return exit.done;
    },
  };
}

/** Goes on where it was when the gateway stops and comes back. */
async function followUntilStopped(
  access: GatewayAccess,
  terminal: Terminal,
  first: FeedWish,
  show: (event: StoredEvent) => void,
): Promise<number> {
  const stopped = new AbortController();
  void untilSignal().then(() => stopped.abort());
  const { signal } = stopped;
  let wish = first;
  let connected = false;
  let told = false;
  while (!signal.aborted) {
    const found = await readEvents(
      access,
      wish,
      show,
      (position) => {
        const { last: _, ...rest } = wish;
        wish = { ...rest, after: position };
        if (told) terminal.say('The gateway is back.');
        told = false;
        connected = true;
      },
      signal,
    );
    if (!found && !connected) throw noGateway(access);
    if (signal.aborted) break;
    if (!told) terminal.say('The gateway has gone. Waiting for it …');
    told = true;
    await setTimeout(RETRY_MS, undefined, { signal }).catch(() => {});
  }
  return exit.done;
}

function noGateway(access: GatewayAccess): AppError {
  return new AppError('unavailable', `no gateway runs for ${access.home}. Start one with \`sluice serve\`.`);
}

/** Reads events until there are no more. False where no gateway runs. */
async function readEvents(
  access: GatewayAccess,
  wish: FeedWish,
  show: (event: StoredEvent) => void,
  reached: (position: number) => void = () => {},
  signal?: AbortSignal,
): Promise<boolean> {
  const socket = await access.attachEvents(wish);
  if (!socket) return false;
  socket.on('error', () => {});
  const end = () => socket.destroy();
  signal?.addEventListener('abort', end);
  const lines = createInterface({ input: socket });
  // It hears of an end by itself, but not of a connection that was cut.
  socket.once('close', () => lines.close());
  try {
    for await (const text of lines) {
      const line = readLine(text);
      if (!line) break;
      if ('error' in line) throw refusalOf(line.error);
      if ('position' in line) reached(line.position);
      else {
        show(line);
        reached(line.id);
      }
    }
  } finally {
    signal?.removeEventListener('abort', end);
    socket.destroy();
  }
  return true;
}

type Line = { error: unknown } | { position: number } | StoredEvent;

/** One that knows nothing of this answers as it does to any line that is no MCP. */
function refusalOf(error: unknown): AppError {
  const other = 'The gateway that runs is of another version: restart it.';
  return new AppError('invalid_input', typeof error === 'string' ? error : other);
}

/** Undefined where it was cut off in the middle, because the gateway was killed. */
function readLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

const TYPE_WIDTH = 26;

function lineOf({ timestamp, trace_id, event_type, data }: Omit<StoredEvent, 'id'>): string {
  const facts = Object.entries(data).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  // Other programs' events are shown, too, and not all that is in them is meant to be printed.
  return harmless([timestamp, trace_id, event_type.padEnd(TYPE_WIDTH), facts.join(' ')].join('  ')).replaceAll(
    '\n',
    ' ',
  );
}
