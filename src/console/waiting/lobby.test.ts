import { describe, expect, test } from 'vitest';
import type { Waiting, WaitingRoom } from '../../host/waiting.ts';
import type { Principal } from '../../kernel/principal.ts';
import { createLobby } from './lobby.ts';

const anna: Principal = { id: 'anna', scopes: new Set(['admin']) };
const ben: Principal = { id: 'ben', scopes: new Set(['tools:read']) };
const item = (id: string, more: Partial<Waiting> = {}): Waiting => ({
  id,
  kind: 'approval',
  title: id,
  decides: true,
  ...more,
});
const room = (...items: Waiting[]): WaitingRoom => ({ list: async () => items });

describe('what waits', () => {
  test('is sorted by how soon it expires, then by how long it waits', async () => {
    const lobby = createLobby(
      () =>
        new Map([
          ['one', room(item('young', { since: '2026-11-15T10:00:00Z' }), item('late', { expires: '2026-11-17' }))],
          ['two', room(item('soon', { expires: '2026-11-16' }), item('old', { since: '2026-11-15T09:00:00Z' }))],
        ]),
    );
    const { items, missing } = await lobby.list(anna, 'somebody');
    expect(items.map(({ part, id }) => `${part} ${id}`)).toEqual(['two soon', 'one late', 'two old', 'one young']);
    expect(missing).toEqual([]);
  });

  test('is shown though a room fails and another one is slow, which is not asked again meanwhile', async () => {
    let asked = 0;
    const answer = Promise.withResolvers<Waiting[]>();
    const slow: WaitingRoom = { list: () => (asked++, answer.promise) };
    const broken: WaitingRoom = { list: () => Promise.reject(new Error('password hunter2')) };
    const rooms = () =>
      new Map([
        ['broken', broken],
        ['slow', slow],
        ['good', room(item('a'))],
      ]);
    const lobby = createLobby(rooms, 5);
    const first = await lobby.list(anna, undefined);
    expect(first.items).toMatchObject([{ part: 'good', id: 'a' }]);
    expect(first.missing).toEqual([
      { part: 'broken', reason: 'It failed.' },
      { part: 'slow', reason: 'It takes too long.' },
    ]);
    await lobby.list(anna, undefined);
    expect(asked).toBe(1);
    answer.resolve([item('b')]);
    await answer.promise;
    expect((await lobby.list(anna, undefined)).missing).toEqual([{ part: 'broken', reason: 'It failed.' }]);
  });

  test('is asked once for questions at the same time, and for each caller alone', async () => {
    const asked: string[] = [];
    const counting: WaitingRoom = {
      async list({ id }, person) {
        asked.push(`${id} ${person}`);
        return [];
      },
    };
    const lobby = createLobby(() => new Map([['one', counting]]));
    await Promise.all([lobby.list(anna, 'in person'), lobby.list(anna, 'in person'), lobby.list(ben, undefined)]);
    await lobby.list(anna, undefined);
    expect(asked).toEqual(['anna in person', 'ben undefined', 'anna undefined']);
  });
});

describe('a decision', () => {
  test('goes to its room, after which everything is asked again', async () => {
    let items = [item('a')];
    const decided: unknown[] = [];
    const deciding: WaitingRoom = {
      list: async () => items,
      async decide(...given) {
        decided.push(given);
        items = [];
        return 'Done.';
      },
    };
    const lobby = createLobby(() => new Map([['one', deciding]]));
    expect((await lobby.list(anna, 'in person')).items).toHaveLength(1);
    expect(await lobby.decide('one', 'a', { approve: true, note: 'ok' }, anna, 'in person')).toBe('Done.');
    expect(decided).toEqual([['a', { approve: true, note: 'ok' }, anna, 'in person']]);
    expect((await lobby.list(anna, 'in person')).items).toEqual([]);
  });

  test.each(['nobody', '__proto__', 'looking'])('about something in %s is not found', async (part) => {
    const lobby = createLobby(() => new Map([['looking', room(item('a'))]]));
    await expect(lobby.decide(part, 'a', { approve: true }, anna, 'in person')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
