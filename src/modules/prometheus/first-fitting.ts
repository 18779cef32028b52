import { fittingItems } from '../../kernel/reply-size.ts';

/** The first of these replies that is small enough, or else the last: each shows less than the one before. */
export function firstFitting<T>(replies: readonly [() => T, ...(() => T)[]]): T {
  let made = replies[0]();
  for (const reply of replies.slice(1)) {
    // Two fit only if the first leaves room.
    if (fittingItems([made, '']) === 2) return made;
    made = reply();
  }
  return made;
}
