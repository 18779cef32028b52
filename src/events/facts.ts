import { fact, type FactOf } from '../kernel/facts.ts';
import type { EventLog } from '../kernel/events.ts';
import type { Recording } from '../store/event-log.ts';

/** Facts about events that leave for webhooks or come in from watched files. */
export const eventFacts = {
  'tool.call_arguments': fact<{ tool: string; source: string; principal: string; arguments: string }>({
    // Arguments never go to the log: they are recorded only as events, for owners who asked for that.
    level: 'never',
  }),
  'webhook.failing': fact<{ webhook: string; reason: string }>({
    status: 'failure',
    line: ({ webhook, reason }) => `Cannot deliver events to webhook ${webhook}: ${reason}`,
  }),
  'webhook.recovered': fact<{ webhook: string; waiting: number; ms: number }>({
    line: ({ webhook, waiting }) => `Webhook ${webhook} works again; ${waiting} events are waiting`,
  }),
  'webhook.event_set_aside': fact<{ webhook: string; event: number; eventType: string; reason: string }>({
    status: 'failure',
    line: ({ webhook, event, reason }) => `Set event ${event} aside because webhook ${webhook} refuses it: ${reason}`,
  }),
  'webhook.set_aside_dropped': fact<{ webhook: string; events: number }>({
    status: 'failure',
    line: ({ webhook, events }) => `Dropped ${events} events that webhook ${webhook} had refused: too many or too old`,
  }),
  'webhook.full': fact<{ webhook: string; waiting: number }>({
    status: 'failure',
    level: 'error',
    line: ({ webhook, waiting }) =>
      `The queue of webhook ${webhook} is full (${waiting} events): new events are not queued for it`,
  }),
  'webhook.resumed': fact<{ webhook: string; waiting: number }>({
    line: ({ webhook }) => `The queue of webhook ${webhook} has room again`,
  }),
  'webhook.events_skipped': fact<{ webhook: string; events: number; from: number; to: number }>({
    status: 'failure',
    line: ({ webhook, events }) => `${events} events were not sent to webhook ${webhook}`,
  }),
  'watch.lines_rejected': fact<{ file: string; bad: number; tooLong: number }>({
    status: 'failure',
    line: ({ file, bad, tooLong }) => `Skipped ${bad + tooLong} lines of ${file} that are not events`,
  }),
  'watch.failed': fact<{ file: string; reason: string }>({
    status: 'failure',
    line: ({ file, reason }) => `Cannot watch ${file}: ${reason}`,
  }),
  'watch.recovered': fact<{ file: string }>({ line: ({ file }) => `Watching ${file} again` }),
};

export type DeliveryEvents = EventLog<FactOf<typeof eventFacts>>;

/** Adds the recording side of the log: what was stored, and when. */
export type DeliveryLog = DeliveryEvents & Recording;
