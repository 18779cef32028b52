import { type Event, isCallEnd, textIn } from './event.ts';

export interface CallerRow {
  readonly principal: string;
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  /** When the newest of them ended. */
  readonly last: string;
}

const MOST_PAIRS = 5000;

/** Who called what, most first. The events come newest first. */
export function callersIn(events: readonly Event[]): CallerRow[] {
  const found = new Map<string, { principal: string; tool: string; calls: number; failed: number; last: string }>();
  for (const event of events) {
    const [principal, tool] = [textIn(event, 'principal'), textIn(event, 'tool')];
    if (!isCallEnd(event) || principal === undefined || tool === undefined) continue;
    const key = `${principal}\0${tool}`;
    let row = found.get(key);
    if (!row) {
      if (found.size >= MOST_PAIRS) continue;
      found.set(key, (row = { principal, tool, calls: 0, failed: 0, last: event.timestamp }));
    }
    row.calls++;
    if (event.event_type === 'tool.call_failed') row.failed++;
  }
  return [...found.values()].sort((a, b) => b.calls - a.calls || b.failed - a.failed);
}
