import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { RecordedEvent } from '../../kernel/events.ts';
import { appending } from './appending.ts';

const event = (name: string): RecordedEvent => ({
  timestamp: '2026-01-01T00:00:00.000Z',
  trace_id: name,
  event_type: 'x',
  status: 'success',
  data: {},
});
const lost = () =>
  new AppError('unavailable', 'gone', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });

/** A database that may break before or after it stored a batch. */
function fake() {
  const stored: string[] = [];
  const tokens = new Set<unknown>();
  let fails: 'before' | 'after' | 'refused' | undefined;
  return {
    stored,
    breaks: (when: typeof fails) => void (fails = when),
    append: appending({
      async change(_, [batch, token] = []) {
        const now = fails;
        fails = undefined;
        if (now === 'refused')
          throw new AppError('unavailable', 'full', { cause: Object.assign(new Error(), { code: '53100' }) });
        if (now === 'before') throw lost();
        if (!tokens.has(token))
          for (const { trace_id } of JSON.parse(batch as string) as RecordedEvent[]) stored.push(trace_id);
        tokens.add(token);
        if (now === 'after') throw lost();
        return 1;
      },
    }),
  };
}

test.each(['before', 'after', 'refused'] as const)('events are stored once if the database breaks %s', async (when) => {
  const { append, breaks, stored } = fake();
  const [a, b, c] = [event('a'), event('b'), event('c')];
  breaks(when);
  await expect(append([a, b])).rejects.toThrow(when === 'refused' ? 'full' : 'gone');
  await append([a, b, c]);
  expect(stored).toEqual(['a', 'b', 'c']);
});

test('it may break twice, and other events do not pass for the lost ones', async () => {
  const { append, breaks, stored } = fake();
  const [a, b, c] = [event('a'), event('b'), event('c')];
  breaks('after');
  await expect(append([a])).rejects.toThrow('gone');
  breaks('after');
  await expect(append([a, b])).rejects.toThrow('gone');
  await append([a, b]);
  expect(stored).toEqual(['a', 'b']);
  breaks('after');
  await expect(append([c])).rejects.toThrow('gone');
  await append([event('c')]);
  expect(stored).toEqual(['a', 'b', 'c', 'c']);
});
