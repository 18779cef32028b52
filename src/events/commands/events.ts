import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { exit, UsageError } from '../../cli/frame.ts';
import { untilSignal } from '../../cli/interrupt.ts';
import { noGateway } from '../../cli/reach.ts';
import { cut } from '../../cli/table.ts';
import { attachEvents } from '../../host/attach.ts';
import { socketPath } from '../../host/home.ts';
import type { Place } from '../../host/place.ts';
import type { Action } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { harmless } from '../../kernel/harmless.ts';
import type { StoredEvent } from '../../store/store.ts';
import type { FeedWish } from '../event-feed.ts';

const RECENT = 50;
const RECENT_BEFORE_LIVE = 10;
const RETRY_MS = 500;

/** Each option of the command, and the filter it sets. */
const filters = {
  type: ['event_type', 'An event type: tool.call_failed, or tool.* for all of a kind'],
  trace: ['trace_id', 'Only events of this trace'],
  status: ['status', 'success, failure or pending'],
  source: ['source', 'Only events about this server or other source'],
  tool: ['tool', 'Only events about this tool'],
  key: ['principal', 'Only what this key or user did, by id'],
  text: ['text', 'Only events that contain this text'],
  since: ['since', `An ISO time, or how long ago: 15m, 2h, 7d (the last ${RECENT} events by default)`],
  until: ['until', 'The same for the end'],
} as const;

export function eventsCommand({ home, terminal }: Pick<Place, 'home' | 'terminal'>): Action {
  return {
    usage: '[--follow] [--type T] [--trace ID] [--since 1h] [--audit] [--json]',
    example: "sluice events --type 'tool.*' --since 1h",
    options: {
      follow: { type: 'boolean', short: 'f', describe: 'Keep printing new events until Ctrl-C' },
      ...Object.fromEntries(
        Object.entries(filters).map(([name, [, describe]]) => [name, { type: 'string', describe }] as const),
      ),
      audit: { type: 'boolean', describe: 'Only who changed what: servers, keys, logins, configuration' },
      json: { type: 'boolean', describe: 'Print each event as a line of JSON' },
    },
    async run({ values }) {
      const { follow = false, json = false, audit = false } = values;
      if (follow && values.until !== undefined) throw new UsageError('--follow and --until exclude each other');
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
      if (follow) return followUntilStopped(home, terminal, { filter, ...begin, live: true }, show);
      const read = await readEvents(home, { filter, ...begin, live: false }, show);
      if (!read) throw noGateway(home);
      if (shown === 0 && !json) terminal.say('No such events.');
      return exit.done;
    },
  };
}

/** Reconnects when the gateway stops and comes back, and continues where it was. */
async function followUntilStopped(
  home: string,
  terminal: Place['terminal'],
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
      home,
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
    if (!found && !connected) throw noGateway(home);
    if (signal.aborted) break;
    if (!told) terminal.say('The gateway stopped. Waiting for it to come back …');
    told = true;
    await setTimeout(RETRY_MS, undefined, { signal }).catch(() => {});
  }
  return exit.done;
}

/** Reads events until there are no more. False if no gateway runs. */
async function readEvents(
  home: string,
  wish: FeedWish,
  show: (event: StoredEvent) => void,
  reached: (position: number) => void = () => {},
  signal?: AbortSignal,
): Promise<boolean> {
  const socket = await attachEvents(socketPath(home), wish);
  if (!socket) return false;
  socket.on('error', () => {});
  const end = () => socket.destroy();
  signal?.addEventListener('abort', end);
  const lines = createInterface({ input: socket });
  // readline notices a clean end, but not a cut connection.
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

/** An older gateway does not know this request and answers with a JSON-RPC error. */
function refusalOf(error: unknown): AppError {
  const other = 'The running gateway has another version: restart it.';
  return new AppError('invalid_input', typeof error === 'string' ? error : other);
}

/** Undefined for half a line: the gateway was killed while writing it. */
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
