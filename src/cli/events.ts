import type { RecordedEvent } from '../kernel/events.ts';
import type { Command } from '../kernel/part.ts';
import { callOwn } from './client.ts';
import { exit } from './frame.ts';
import { type GatewayAccess, reachRunning } from './reach.ts';
import { table } from './table.ts';
import type { Terminal } from './terminal.ts';

const RECENT = 50;
const PAGE = 200;

export function eventsCommand(access: GatewayAccess, terminal: Terminal): Command {
  return {
    name: 'events',
    summary: 'Shows what happened: calls, servers starting and failing, configuration changes',
    usage: 'sluice events [--type T] [--trace ID] [--since 1h] [--json]',
    example: "sluice events --type 'tool.*' --since 1h",
    options: {
      type: { type: 'string', describe: 'Such as tool.call_failed, or tool.* for all of a kind' },
      trace: { type: 'string', describe: 'Only what belongs to this trace' },
      since: { type: 'string', describe: `An ISO time, or how long ago: 15m, 2h, 7d (without it the last ${RECENT})` },
      json: { type: 'boolean', describe: 'Print the events as JSON' },
    },
    async run({ values: { type, trace, since, json } }) {
      await using client = await reachRunning(access);
      const filter = {
        ...(type !== undefined && { event_type: type }),
        ...(trace !== undefined && { trace_id: trace }),
        ...(since !== undefined && { since }),
        limit: since === undefined ? RECENT : PAGE,
      };
      const events: RecordedEvent[] = [];
      let cursor: string | undefined;
      do {
        const args = { ...filter, ...(cursor !== undefined && { cursor }) };
        const page = await callOwn<{ events: RecordedEvent[]; cursor?: string }>(client, 'get_events', args);
        events.push(...page.events);
        cursor = since === undefined ? undefined : page.cursor;
      } while (cursor !== undefined);
      // In the order in which it happened, so that the newest stands next to the prompt.
      events.reverse();
      if (json) terminal.print(JSON.stringify(events, null, 2));
      else if (events.length > 0) terminal.print(table(events.map(rowOf), terminal.width).join('\n'));
      else terminal.say('Nothing of that kind happened.');
      return exit.done;
    },
  };
}

function rowOf({ timestamp, trace_id, event_type, data }: RecordedEvent): string[] {
  const facts = Object.entries(data).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [timestamp, trace_id, event_type, facts.join(' ')];
}
