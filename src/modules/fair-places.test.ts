import { expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { fairPlaces } from './fair-places.ts';

const { signal } = new AbortController();
const places = (patienceMs = 60_000) =>
  fairPlaces({ all: 4, each: 2, patienceMs, none: (why) => new AppError('rate_limited', why) });

/** Who got a place, in order. */
function entering(shared: ReturnType<typeof places>) {
  const inside: string[] = [];
  const held = new Map<string, Disposable>();
  return {
    inside,
    async enter(name: string) {
      held.set(name, await shared.take(name[0] as string, signal));
      inside.push(name);
    },
    async leave(name: string) {
      held.get(name)?.[Symbol.dispose]();
      // Whoever gets the place hears of it first.
      await new Promise(setImmediate);
    },
  };
}

test('one caller gets its share, and the rest is for others', async () => {
  const { inside, enter, leave } = entering(places());
  await Promise.all([enter('a1'), enter('a2')]);
  const waiting = [enter('a3'), enter('a4')];
  await enter('b1');
  await enter('c1');
  expect(inside).toEqual(['a1', 'a2', 'b1', 'c1']);
  // All places are taken: whoever came first gets the next, unless it has its share.
  waiting.push(enter('d1'));
  await leave('b1');
  expect(inside).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
  await leave('a1');
  expect(inside.at(-1)).toBe('a3');
  await leave('a2');
  await Promise.all(waiting);
  expect(inside).toEqual(['a1', 'a2', 'b1', 'c1', 'd1', 'a3', 'a4']);
});

test('a wait ends with who is in the way, and leaves nothing behind', async () => {
  const shared = places(5);
  const first = await shared.take('a', signal);
  await shared.take('a', signal);
  await expect(shared.take('a', signal)).rejects.toThrow('own');
  await shared.take('b', signal);
  const last = await shared.take('b', signal);
  await expect(shared.take('c', signal)).rejects.toThrow('others');
  const call = new AbortController();
  const cancelled = shared.take('c', call.signal);
  call.abort(new AppError('cancelled', 'gone'));
  await expect(cancelled).rejects.toThrow('gone');
  first[Symbol.dispose]();
  last[Symbol.dispose]();
  await shared.take('d', signal);
  await shared.take('d', signal);
  await expect(shared.take('c', signal)).rejects.toThrow('others');
});
