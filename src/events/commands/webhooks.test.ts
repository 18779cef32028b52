import { beforeEach, describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../kernel/events.ts';
import { openSqlite } from '../../store/sqlite/open.ts';
import type { Store } from '../../store/store.ts';
import { runCommand } from '../../cli/frame.ts';
import type { Terminal } from '../../host/terminal.ts';
import { webhooksCommand } from './webhooks.ts';

let store: Store;
let printed: string[];
let said: string[];

const terminal = {
  width: undefined,
  print: (text: string) => void printed.push(text),
  say: (text: string) => void said.push(text),
} as unknown as Terminal;

async function run(...args: string[]): Promise<number> {
  printed = [];
  said = [];
  // The command closes what it opens; the test goes on with it.
  const open = async () => ({ outbox: store.outbox, async [Symbol.asyncDispose]() {} });
  const entry = { summary: '', load: async () => webhooksCommand({ store: open, terminal }) };
  return runCommand(new Map([['webhooks', entry]]), ['webhooks', ...args], { version: '0' });
}

const event = (backend: string): RecordedEvent => ({
  timestamp: '2026-11-15T00:00:00.000Z',
  trace_id: 't',
  event_type: 'gateway.backend_removed',
  status: 'success',
  data: { backend },
});

beforeEach(async () => {
  store = await openSqlite(':memory:');
  return () => store[Symbol.asyncDispose]();
});

test('without a webhook it says how to have one', async () => {
  expect(await run()).toBe(0);
  expect(said.join()).toContain('events: { webhook: { url: … } }');
});

describe('with something set aside', () => {
  beforeEach(async () => {
    await store.outbox.open('alerts');
    await store.events.append([event('a'), event('b'), event('c'), event('d')]);
    for (const row of await store.outbox.after(0, 2)) await store.outbox.setAside('alerts', row, 'HTTP 400', 3);
    await store.outbox.failed('alerts', 'nobody listens there');
  });

  test('the list shows what waits, and why', async () => {
    await run();
    expect(printed[0]).toMatch(/^alerts +0 +2 +\S+ +2 +0 +for .*: nobody listens there$/m);
    await run('list', '--json');
    expect(JSON.parse(printed[0] as string)).toMatchObject([{ webhook: 'alerts', waiting: 2, dead: 2, skipped: 0 }]);
  });

  test('dead lists them with their data', async () => {
    await run('dead');
    expect(printed[0]).toMatch(
      /^1 +alerts +gateway\.backend_removed +2026-11-15T00:00:00\.000Z +3 +HTTP 400 +\{"backend":"a"\}$/m,
    );
    await run('dead', '--json', '--webhook', 'alerts');
    expect(JSON.parse(printed[0] as string)).toMatchObject([
      { webhook: 'alerts', reason: 'HTTP 400', event: { id: 1, data: { backend: 'a' } } },
      { event: { id: 2 } },
    ]);
    await run('dead', '--webhook', 'other');
    expect(said).toEqual(['Nothing was set aside.']);
  });

  test('retry marks one or all, discard gives up', async () => {
    expect(await run('retry', '2')).toBe(0);
    expect((await store.outbox.dead({ again: true })).map(({ event: { id } }) => id)).toEqual([2]);
    expect(await run('retry', 'all')).toBe(0);
    expect(said[0]).toMatch(/sends 2 events again/);
    expect(await run('discard', '1')).toBe(0);
    expect(await run('discard', '1')).toBe(1);
    expect((await store.outbox.dead()).length).toBe(1);
  });

  test.each([[['retry']], [['retry', 'x']], [['discard', '-1']], [['list', 'x']], [['other']]])(
    '%j is wrong usage',
    async (args) => {
      expect(await run(...args)).toBe(2);
      expect((await store.outbox.dead()).length).toBe(2);
    },
  );
});
