import { type Event, isCallEnd, textIn } from './event.ts';

export interface CallerRow {
  readonly principal: string;
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
}

const MOST_PAIRS = 5000;

/** Who called what, most first. */
export function callersIn(events: readonly Event[]): CallerRow[] {
  const found = new Map<string, { principal: string; tool: string; calls: number; failed: number }>();
  for (const event of events) {
    const [principal, tool] = [textIn(event, 'principal'), textIn(event, 'tool')];
    if (!isCallEnd(event) || principal === undefined || tool === undefined) continue;
    const key = `${principal}\0${tool}`;
    let row = found.get(key);
    if (!row) {
      if (found.size >= MOST_PAIRS) continue;
      found.set(key, (row = { principal, tool, calls: 0, failed: 0 }));
    }
    row.calls++;
    if (event.event_type === 'tool.call_failed') row.failed++;
  }
  return [...found.values()].sort((a, b) => b.calls - a.calls || b.failed - a.failed);
}
