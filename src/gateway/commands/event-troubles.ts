import type { GatewayStatus } from '../status/status.ts';
import { firstLine } from '../../cli/table.ts';

/** A line per problem with recording events. */
export function eventTroubles(events: GatewayStatus['events']): string[] {
  const { dropped = 0, jsonl } = events ?? {};
  return [
    ...(dropped > 0 ? [`${dropped} events were lost, because the store could not be written.`] : []),
    ...(jsonl?.error === undefined ? [] : [`The files of events cannot be written: ${firstLine(jsonl.error)}`]),
    ...(jsonl && jsonl.lost > 0 ? [`${jsonl.lost} events are missing in the files, and only there.`] : []),
  ];
}
