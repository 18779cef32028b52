/** From the best to the worst. */
export const states = ['ok', 'unknown', 'warning', 'failing'] as const;

export type State = (typeof states)[number];

/** How an item is doing. */
export interface Seen {
  readonly state: State;
  /** What was seen, in a few words. */
  readonly seen: string;
  /** What to do next. */
  readonly next?: string;
  /** Nothing can check it, so it says nothing about the project. */
  readonly isOnlyShown?: true;
}

/** The worst of what was checked. What is only shown does not count, unless there is nothing else. */
export function overall(all: readonly Seen[]): State {
  const checked = all.filter(({ isOnlyShown }) => !isOnlyShown);
  const counted = checked.length > 0 ? checked : all;
  if (counted.length === 0) return 'unknown';
  return states.findLast((state) => counted.some((one) => one.state === state)) ?? 'unknown';
}
