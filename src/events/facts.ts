import { fact, type FactOf } from '../kernel/facts.ts';
import type { EventLog } from '../kernel/events.ts';
import type { Recording } from '../store/event-log.ts';

/** What happens to events on their way out and in. */
export const eventFacts = {
  'tool.call_arguments': fact<{ tool: string; source: string; principal: string; arguments: string }>({
    // Arguments are for those who asked for them as events.
    level: 'never',
  }),
  'webhook.failing': fact<{ webhook: string; reason: string }>({
    status: 'failure',
    line: ({ webhook, reason }) => `Events do not reach the webhook ${webhook}: ${reason}`,
  }),
  'webhook.recovered': fact<{ webhook: string; waiting: number; ms: number }>({
    line: ({ webhook, waiting }) => `Events reach the webhook ${webhook} again; ${waiting} are waiting`,
  }),
  'webhook.event_set_aside': fact<{ webhook: string; event: number; eventType: string; reason: string }>({
    status: 'failure',
    line: ({ webhook, event, reason }) =>
      `The event ${event} was set aside, because the webhook ${webhook} refuses it: ${reason}`,
  }),
  'webhook.set_aside_dropped': fact<{ webhook: string; events: number }>({
    status: 'failure',
    line: ({ webhook, events }) =>
      `${events} events that the webhook ${webhook} had refused were dropped: too many, or too old`,
  }),
  'webhook.full': fact<{ webhook: string; waiting: number }>({
    status: 'failure',
    level: 'error',
    line: ({ webhook, waiting }) => `${waiting} events wait for the webhook ${webhook}: no room for more`,
  }),
  'webhook.resumed': fact<{ webhook: string; waiting: number }>({
    line: ({ webhook }) => `There is room for events to the webhook ${webhook} again`,
  }),
  'webhook.events_skipped': fact<{ webhook: string; events: number; from: number; to: number }>({
    status: 'failure',
    line: ({ webhook, events }) => `${events} events were not sent to the webhook ${webhook}`,
  }),
  'watch.lines_rejected': fact<{ file: string; bad: number; tooLong: number }>({
    status: 'failure',
    line: ({ file, bad, tooLong }) => `${bad + tooLong} lines of ${file} are no events and were passed over`,
  }),
  'watch.failed': fact<{ file: string; reason: string }>({
    status: 'failure',
    line: ({ file, reason }) => `${file} cannot be watched: ${reason}`,
  }),
  'watch.recovered': fact<{ file: string }>({ line: ({ file }) => `${file} is watched again` }),
};

export type DeliveryEvents = EventLog<FactOf<typeof eventFacts>>;

/** With what is needed of the log itself: what was stored, and by when. */
export type DeliveryLog = DeliveryEvents & Recording;
