import { EventEmitter } from 'node:events';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRoom } from './room.ts';

const MB = 1024 * 1024;
const PATIENCE_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stream() {
  const events = new EventEmitter();
  return Object.assign(events, {
    isPaused: false,
    pause() {
      this.isPaused = true;
    },
    resume() {
      this.isPaused = false;
    },
  });
}

const setUp = () => ({ room: createRoom(10 * MB, PATIENCE_MS), one: stream(), other: stream(), third: stream() });

test('messages that fit arrive at the same time', () => {
  const { room, one, other } = setUp();
  room.keeps(one, 4 * MB);
  room.keeps(other, 5 * MB);
  room.keeps(one, 5 * MB);
  expect([one.isPaused, other.isPaused, room.isFull()]).toEqual([false, false, false]);
});

test('what does not fit waits until an earlier message is done', () => {
  const { room, one, other } = setUp();
  room.keeps(one, 8 * MB);
  room.keeps(other, 3 * MB);
  expect([one.isPaused, other.isPaused, room.isFull()]).toEqual([false, true, true]);
  room.keeps(one, 0);
  expect([other.isPaused, room.isFull(), room.taken()]).toEqual([false, false, 3 * MB]);
});

test('the message that began first may be larger than the room, and half-read messages do not wait for each other', () => {
  const { room, one, other, third } = setUp();
  const all = [one, other, third];
  for (const source of all) room.keeps(source, 4 * MB);
  for (const source of all) if (!source.isPaused) room.keeps(source, 20 * MB);
  const paused = () => all.map(({ isPaused }) => isPaused);
  expect(paused()).toEqual([false, true, true]);
  room.keeps(one, 0);
  expect(paused()).toEqual([false, false, true]);
  room.keeps(other, 0);
  expect(paused()).toEqual([false, false, false]);
});

test('an answer that is on its way out counts until it is released, once', () => {
  const { room, one } = setUp();
  const release = room.hold(9 * MB);
  room.keeps(one, 2 * MB);
  expect(one.isPaused).toBe(true);
  release?.();
  release?.();
  expect([one.isPaused, room.taken()]).toEqual([false, 2 * MB]);
});

test('a stream that ends gives everything back, also while it waits', () => {
  const { room, one, other } = setUp();
  room.keeps(one, 11 * MB);
  room.keeps(other, 4 * MB);
  other.emit('close');
  expect([room.isFull(), room.taken()]).toEqual([false, 11 * MB]);
  one.emit('close');
  expect(room.taken()).toBe(0);
});

test('a server that stops in the middle of a message delays others only for a while', () => {
  const { room, one, other } = setUp();
  room.keeps(one, 11 * MB);
  room.keeps(other, MB);
  expect(other.isPaused).toBe(true);
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(other.isPaused).toBe(false);
  // It counts again when it goes on.
  room.keeps(one, 22 * MB);
  expect([one.isPaused, room.taken()]).toEqual([true, 12 * MB]);
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(one.isPaused).toBe(false);
});

test('a client that does not take its answer delays others only for a while', () => {
  const { room, one } = setUp();
  room.hold(11 * MB);
  room.keeps(one, MB);
  vi.advanceTimersByTime(PATIENCE_MS);
  expect([one.isPaused, room.taken()]).toEqual([false, MB]);
});

test('small messages are not counted', () => {
  const { room, one } = setUp();
  room.keeps(one, 100_000);
  expect([room.hold(100_000), room.taken(), one.eventNames()]).toEqual([undefined, 0, []]);
});

test('whatever happens, nobody waits for ever, and everything is given back', () => {
  const act = fc.tuple(fc.constantFrom('grow', 'end', 'close', 'hold', 'release', 'wait'), fc.nat(4), fc.nat(8 * MB));
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const room = createRoom(10 * MB, PATIENCE_MS);
      const streams = Array.from({ length: 5 }, () => ({ source: stream(), kept: 0 }));
      const releases: (() => void)[] = [];
      for (const [what, index, bytes] of acts) {
        const one = streams[index] as (typeof streams)[number];
        if (what === 'grow' && !one.source.isPaused) room.keeps(one.source, (one.kept += bytes + 1));
        else if (what === 'end' && !one.source.isPaused) room.keeps(one.source, (one.kept = 0));
        else if (what === 'close') {
          one.source.emit('close');
          Object.assign(one, { source: stream(), kept: 0 });
        } else if (what === 'hold') releases.push(room.hold(bytes) ?? (() => {}));
        else if (what === 'release') releases.splice(index, 1)[0]?.();
        else if (what === 'wait') vi.advanceTimersByTime(bytes % PATIENCE_MS);
      }
      for (let turns = 0; room.isFull() && turns < 20; turns++) vi.advanceTimersByTime(PATIENCE_MS);
      expect(streams.filter(({ source }) => source.isPaused)).toEqual([]);
      for (const { source } of streams) source.emit('close');
      for (const release of releases) release();
      expect(room.taken()).toBe(0);
    }),
  );
});
