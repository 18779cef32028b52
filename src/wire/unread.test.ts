import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { MOST_NOTICES, unreadBytes } from './unread.ts';

const MB = 1024 * 1024;

/** A stream whose unread bytes are set by the test. */
function stream() {
  const events = new EventEmitter();
  return Object.assign(events, {
    writableLength: 0,
    destroyed: false,
    timeouts: [] as number[],
    setTimeout(ms: number) {
      this.timeouts.push(ms);
    },
    destroy() {
      this.destroyed = true;
      this.writableLength = 0;
      events.emit('close');
    },
  });
}

function setUp() {
  let cuts = 0;
  const unread = unreadBytes(() => void cuts++, 1234);
  const write = (target: ReturnType<typeof stream>, bytes: number) => {
    target.writableLength += bytes;
    unread.wrote(target);
  };
  return { unread, write, cuts: () => cuts };
}

describe('unread data', () => {
  it('is counted above some size, until it is read', () => {
    const { unread, write } = setUp();
    const target = stream();
    write(target, 1000);
    expect(unread.bytes()).toBe(0);
    write(target, 3 * MB);
    expect(unread.bytes()).toBe(3 * MB + 1000);
    target.writableLength = 0;
    target.emit('drain');
    expect(unread.bytes()).toBe(0);
    expect(target.eventNames()).toEqual([]);
  });

  it('may be a single answer of any size', () => {
    const { write, cuts } = setUp();
    const target = stream();
    write(target, 64 * MB);
    expect(target.destroyed).toBe(false);
    expect(cuts()).toBe(0);
  });

  it('is cut when it is large and nothing is taken for a while', () => {
    const { unread, write, cuts } = setUp();
    const target = stream();
    write(target, 5 * MB);
    expect(target.timeouts).toEqual([1234]);
    write(target, MB);
    expect(target.timeouts).toEqual([1234]);
    target.emit('timeout');
    expect(target.destroyed).toBe(true);
    expect(cuts()).toBe(1);
    expect(unread.bytes()).toBe(0);
  });

  it('is left alone if it is small or was read meanwhile', () => {
    const { write, cuts } = setUp();
    const [small, slow] = [stream(), stream()];
    write(small, 2 * MB);
    expect(small.timeouts).toEqual([]);
    small.emit('timeout');
    write(slow, 5 * MB);
    slow.writableLength = MB;
    slow.emit('timeout');
    write(slow, 5 * MB);
    expect(slow.timeouts).toEqual([1234, 1234]);
    slow.writableLength = 0;
    slow.emit('drain');
    expect(slow.timeouts).toEqual([1234, 1234, 0]);
    expect(cuts()).toBe(0);
  });

  it('gets no further notifications', () => {
    const { unread, write, cuts } = setUp();
    const target = stream();
    write(target, MOST_NOTICES);
    expect(unread.mayNotify(target)).toBe(true);
    write(target, 1);
    expect(unread.mayNotify(target)).toBe(false);
    expect(target.destroyed).toBe(true);
    expect(cuts()).toBe(1);
  });

  it('is limited for all streams of a caller together: the largest are cut first', () => {
    const { unread, write } = setUp();
    const many = Array.from({ length: 200 }, stream);
    const large = stream();
    write(large, 30 * MB);
    for (const target of many) write(target, MB);
    expect(large.destroyed).toBe(true);
    expect(many.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(50);
    expect(unread.bytes()).toBeLessThanOrEqual(128 * MB);
  });

  it('is counted again before anything is cut', () => {
    const { unread, write, cuts } = setUp();
    for (let n = 0; n < 1000; n++) {
      const target = stream();
      write(target, MB);
      // Most of it is read at once, and Node reports that only when all is read.
      target.writableLength = 1000;
    }
    expect(cuts()).toBe(0);
    expect(unread.bytes()).toBeLessThanOrEqual(128 * MB);
  });
});
