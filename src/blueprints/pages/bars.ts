import type { Bar, RunStep, Timeline } from './shapes.ts';
import { isOpen } from './words.ts';

/** A bar in percent of the whole time. */
export interface Placed {
  readonly left: number;
  readonly wide: number;
  readonly bar: Bar;
  readonly ms: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

const SHORTEST_MS = 50;
/** What one line shows of a step with hundreds of items. */
const MOST_ON_A_LINE = 400;

/** From the first beginning to the last end; to now, if something still runs. */
export function spanOf(steps: readonly Pick<RunStep, 'bars'>[], begin: string, now: string, end?: string): Span {
  const from = Date.parse(begin);
  let to = Math.max(Date.parse(end ?? now), from);
  for (const { bars } of steps) for (const bar of bars) to = Math.max(to, endOf(bar, now));
  return { from, to: Math.max(to, from + SHORTEST_MS) };
}

const endOf = ({ ended_at }: Bar, now: string): number => Date.parse(ended_at ?? now);

/** Clocks of replicas differ: nothing stands outside. */
const inside = (value: number): number => Math.min(100, Math.max(0, value));

export function placed(bars: readonly Bar[], { from, to }: Span, now: string): Placed[] {
  const all = to - from;
  return bars.slice(0, MOST_ON_A_LINE).map((bar) => {
    const [begin, end] = [Date.parse(bar.started_at), endOf(bar, now)];
    const left = inside(((begin - from) / all) * 100);
    const wide = Math.min(100 - left, Math.max(0, ((end - begin) / all) * 100));
    return { left, wide, bar, ms: Math.max(0, end - begin) };
  });
}

/** What had not ended when its run ended was given up then: it waits for nothing any more. */
export function settled(run: Timeline): Timeline {
  const { state, ended_at } = run;
  if (isOpen(state) || ended_at === undefined) return run;
  const settle = (bar: Bar): Bar => (isUnderWay(bar) ? { ...bar, state: 'cancelled', ended_at } : bar);
  return { ...run, steps: run.steps.map((step) => ({ ...step, bars: step.bars.map(settle) })) };
}

const isUnderWay = ({ state }: Bar): boolean => state === 'waiting' || state === 'running' || state === 'retrying';
