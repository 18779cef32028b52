import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { headOf, openFile } from '../../../src/events/watched-file.ts';
import { createWatching } from '../../../src/events/watching.ts';
import { createEventLog } from '../../../src/store/event-log.ts';
import type { Shared } from '../../../src/kernel/shared.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import type { TailPlace } from '../../../src/store/store.ts';
import { sharedByReplicas } from '../../support/shared-by-replicas.ts';
import { eventFacts } from '../../../src/events/facts.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-watch-'));
let places = 0;
afterAll(() => rmSync(root, { recursive: true, force: true }));

function newPlace() {
  const directory = join(root, String(++places));
  mkdirSync(directory);
  return { directory, path: join(directory, 'events.jsonl'), db: join(directory, 'home', 'sluice.db') };
}

/** A watched file and its event log, wired as in the gateway. */
async function start(
  place: { path: string; db: string },
  from: 'start' | 'end' = 'end',
  goneMs = 10_000,
  replica?: Shared,
) {
  await using stack = new AsyncDisposableStack();
  const store = stack.use(await openSqlite(place.db));
  const log = stack.use(createEventLog(store.events, { facts: eventFacts, flushMs: 10 }));
  const redact = (text: string) => text.replaceAll('hunter22', '[redacted]');
  const shared = replica ?? store.shared;
  const watching = stack.use(createWatching({ tails: store.tails, shared, events: log, redact, goneMs }));
  await watching.configure([{ path: place.path, from }]);
  const owned = stack.move();
  const all = async () => {
    const found = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await store.events.query({ order: 'asc', limit: 1000, ...(cursor !== undefined && { cursor }) });
      found.push(...page.events);
      cursor = page.cursor;
    }
    return found;
  };
  const watcher = {
    store,
    log,
    watching,
    all,
    /** The numbers of the recorded events, in order. */
    taken: async () => (await all()).flatMap(({ data: { n } }) => (typeof n === 'number' ? [n] : [])),
    status: () => watching.report().watch?.[0],
    types: async () => {
      const { events } = await store.events.query({ type: 'watch.*', order: 'asc' });
      return events.map(({ event_type }) => event_type);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  // Wait until the first poll has decided where to start reading.
  await expect.poll(() => store.tails.get(place.path)).toBeDefined();
  return watcher;
}

const line = (n: number) => `${JSON.stringify({ event: 'content.generated', trace_id: `trace-of-number-${n}`, n })}\n`;
const lines = (from: number, to: number) => numbers(from, to).map(line).join('');
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test('a line becomes an event', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  const given = {
    timestamp: '2026-11-15T01:02:03+01:00',
    trace_id: 'abc123',
    event: 'chora.artifact_assembled',
    status: 'error',
    data: { id: 7, token: 'hunter22' },
    extra: 'kept',
  };
  writeFileSync(place.path, `${JSON.stringify(given)}\r\n\n{"event_type":"x"}\n`);
  await expect.poll(async () => (await watcher.all()).length).toBe(2);
  const [first, second] = await watcher.all();
  expect(first).toMatchObject({
    timestamp: '2026-11-15T00:02:03.000Z',
    trace_id: 'abc123',
    event_type: 'chora.artifact_assembled',
    status: 'failure',
    data: { id: 7, token: '[redacted]', extra: 'kept', status: 'error', watched: 'events.jsonl' },
  });
  expect(second).toMatchObject({ event_type: 'x', status: 'success', data: { watched: 'events.jsonl' } });
  expect(second?.trace_id).toMatch(/^[\da-f]{32}$/);
});

test('lines already in the file at the first start are skipped, unless configured otherwise', async () => {
  const place = newPlace();
  writeFileSync(place.path, `${lines(0, 5)}{"event":"half","n":5`);
  {
    await using watcher = await start(place);
    appendFileSync(place.path, `}\n${lines(6, 8)}`);
    await expect.poll(watcher.taken).toEqual([5, 6, 7]);
  }
  const other = newPlace();
  writeFileSync(other.path, lines(0, 5));
  await using watcher = await start(other, 'start');
  await expect.poll(watcher.taken).toEqual([0, 1, 2, 3, 4]);
});

test('a file that is created later, with its directory, is read from the beginning', async () => {
  const place = newPlace();
  const path = join(place.directory, 'var', 'telemetry', 'events.jsonl');
  await using watcher = await start({ ...place, path });
  expect(watcher.status()?.state).toBe('missing');
  mkdirSync(join(place.directory, 'var', 'telemetry'), { recursive: true });
  writeFileSync(path, lines(0, 3));
  await expect.poll(watcher.taken).toEqual([0, 1, 2]);
  expect(watcher.status()).toMatchObject({ state: 'reading', events: 3, bad: 0, behind: 0 });
});

test('a half-written line is read when it is complete', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  const text = line(1);
  writeFileSync(place.path, line(0) + text.slice(0, 20));
  await expect.poll(watcher.taken).toEqual([0]);
  appendFileSync(place.path, text.slice(20, 30));
  appendFileSync(place.path, text.slice(30) + line(2));
  await expect.poll(watcher.taken).toEqual([0, 1, 2]);
  expect(watcher.status()?.bad).toBe(0);
});

test('a multi-byte character split across reads stays intact', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  const bytes = Buffer.from('{"event":"x","n":0,"name":"Zoë"}\n');
  const cut = bytes.indexOf(0xc3) + 1;
  writeFileSync(place.path, bytes.subarray(0, cut));
  await expect.poll(() => watcher.status()?.behind).toBe(cut);
  appendFileSync(place.path, bytes.subarray(cut));
  await expect.poll(watcher.taken).toEqual([0]);
  expect((await watcher.all())[0]?.data.name).toBe('Zoë');
});

test('rotation by rename: the rest of the old file comes first, including late writes to it', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  writeFileSync(place.path, lines(0, 3));
  await expect.poll(watcher.taken).toEqual([0, 1, 2]);
  appendFileSync(place.path, lines(3, 5));
  renameSync(place.path, `${place.path}.1`);
  writeFileSync(place.path, lines(7, 9));
  appendFileSync(`${place.path}.1`, `${line(5)}${line(6).trimEnd()}`);
  await expect.poll(watcher.taken).toEqual(numbers(0, 9));
  renameSync(`${place.path}.1`, `${place.path}.2`);
  renameSync(place.path, `${place.path}.1`);
  await expect.poll(() => watcher.status()?.state).toBe('missing');
  writeFileSync(place.path, lines(9, 12));
  await expect.poll(watcher.taken).toEqual(numbers(0, 12));
});

const shapes: [string, (place: { path: string; directory: string }, round: number) => void][] = [
  ['numbers', ({ path }) => rotate(path)],
  ['dates', ({ path, directory }, round) => renameSync(path, join(directory, `events-20261115-${1000 + round}.jsonl`))],
];

/** Like logrotate: renames each file to the next number, which frees the path. */
function rotate(path: string): void {
  for (let number = 200; number > 0; number--)
    if (existsSync(`${path}.${number}`)) renameSync(`${path}.${number}`, `${path}.${number + 1}`);
  if (existsSync(path)) renameSync(path, `${path}.1`);
}

test.each(shapes)('many rotations at once lose nothing, named by %s', async (_, rotateTo) => {
  const place = newPlace();
  writeFileSync(`${place.path}.1`, lines(9000, 9005));
  writeFileSync(join(place.directory, 'events-20261001-0001.jsonl'), lines(9100, 9105));
  await using watcher = await start(place, 'start');
  let written = 10;
  appendFileSync(place.path, lines(0, written));
  await expect.poll(watcher.taken).toEqual(numbers(0, written));
  for (let round = 0; round < 8; round++) {
    // All synchronous, so the watcher cannot poll in between.
    for (let file = 0; file < 3; file++) {
      appendFileSync(place.path, lines(written, (written += 40)));
      rotateTo(place, round * 3 + file);
    }
    appendFileSync(place.path, lines(written, (written += 40)));
    // The last file may be read a second later: late writes to the previous one come first.
    await expect.poll(async () => (await watcher.taken()).length).toBeGreaterThanOrEqual(written - 80);
  }
  await expect.poll(watcher.taken).toEqual(numbers(0, written));
});

test.each(shapes)('rotations while Sluice is stopped lose nothing, named by %s', async (_, rotateTo) => {
  const place = newPlace();
  let written = 0;
  for (let round = 0; round < 4; round++) {
    await using watcher = await start(place, 'start');
    appendFileSync(place.path, lines(written, (written += 50)));
    if (round % 2 === 0) await expect.poll(watcher.taken).toEqual(numbers(0, written));
    await watcher[Symbol.asyncDispose]();
    for (let file = 0; file < 3; file++) {
      appendFileSync(place.path, lines(written, (written += 50)));
      rotateTo(place, round * 3 + file);
    }
    appendFileSync(place.path, lines(written, (written += 50)));
  }
  await using watcher = await start(place, 'start');
  await expect.poll(watcher.taken).toEqual(numbers(0, written));
});

test('a copy next to the file is not taken for a rotated file', async () => {
  const place = newPlace();
  await using watcher = await start(place, 'start');
  writeFileSync(place.path, lines(0, 50));
  await expect.poll(watcher.taken).toEqual(numbers(0, 50));
  copyFileSync(place.path, `${place.path}.7`);
  unlinkSync(place.path);
  writeFileSync(place.path, lines(50, 60));
  await expect.poll(watcher.taken).toEqual(numbers(0, 60));
});

test('rotation by copy and truncation loses nothing', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  writeFileSync(place.path, lines(0, 10));
  await expect.poll(watcher.taken).toEqual(numbers(0, 10));
  appendFileSync(place.path, lines(10, 12));
  copyFileSync(place.path, `${place.path}.1`);
  truncateSync(place.path);
  appendFileSync(place.path, lines(12, 14));
  await expect.poll(watcher.taken).toEqual(numbers(0, 14));
});

test('a file that is overwritten with more lines is read from the beginning', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  writeFileSync(place.path, lines(0, 3));
  await expect.poll(watcher.taken).toEqual([0, 1, 2]);
  writeFileSync(place.path, lines(10, 20));
  await expect.poll(watcher.taken).toEqual([0, 1, 2, ...numbers(10, 20)]);
});

test('a file that is deleted and created again is read on', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  writeFileSync(place.path, lines(0, 3));
  await expect.poll(watcher.taken).toEqual([0, 1, 2]);
  unlinkSync(place.path);
  await expect.poll(() => watcher.status()?.state).toBe('missing');
  writeFileSync(place.path, lines(3, 5));
  await expect.poll(watcher.taken).toEqual(numbers(0, 5));
  expect(await watcher.types()).toEqual([]);
});

test('a missing file is reported once, and lines written before it vanished are found when it is back', async () => {
  const place = newPlace();
  await using watcher = await start(place, 'end', 50);
  writeFileSync(place.path, lines(0, 10));
  await expect.poll(watcher.taken).toEqual(numbers(0, 10));
  renameSync(place.path, `${place.path}.1`);
  await expect.poll(watcher.types).toEqual(['watch.failed']);
  appendFileSync(`${place.path}.1`, lines(10, 12));
  writeFileSync(place.path, lines(12, 14));
  await expect.poll(watcher.taken).toEqual(numbers(0, 14));
  expect(watcher.status()).toMatchObject({ state: 'reading', bad: 0 });
  await expect.poll(watcher.types).toEqual(['watch.failed', 'watch.recovered']);
});

test.each([
  ['appended to', (path: string) => appendFileSync(path, lines(3, 8))],
  [
    'renamed and created again',
    (path: string) => {
      appendFileSync(path, lines(3, 5));
      renameSync(path, `${path}.1`);
      writeFileSync(path, lines(5, 8));
    },
  ],
  [
    'copied and cut off',
    (path: string) => {
      appendFileSync(path, lines(3, 5));
      copyFileSync(path, `${path}.1`);
      writeFileSync(path, lines(5, 8));
    },
  ],
])('each line is recorded once if the file is %s during a restart', async (_, change) => {
  const place = newPlace();
  writeFileSync(place.path, lines(0, 3));
  {
    await using watcher = await start(place, 'start');
    await expect.poll(watcher.taken).toEqual([0, 1, 2]);
  }
  change(place.path);
  await using watcher = await start(place, 'start');
  await expect.poll(watcher.taken).toEqual(numbers(0, 8));
  expect(watcher.status()?.bad).toBe(0);
});

test('two processes that watch the same file record each line once', async () => {
  const place = newPlace();
  await using one = await start(place);
  await using two = await start(place);
  for (let n = 0; n < 50; n++) {
    appendFileSync(place.path, lines(n * 10, n * 10 + 10));
    await new Promise((resolve) => void setTimeout(resolve, 5));
  }
  await expect.poll(one.taken).toEqual(numbers(0, 500));
  expect((one.status()?.events ?? 0) + (two.status()?.events ?? 0)).toBe(500);
});

test('of two replicas one reads; the other says so, and goes on when the first lets go', async () => {
  const place = newPlace();
  const [a, b] = sharedByReplicas();
  await using one = await start(place, 'end', undefined, a);
  await using two = await start(place, 'end', undefined, b);
  appendFileSync(place.path, lines(0, 10));
  await expect.poll(one.taken).toEqual(numbers(0, 10));
  expect([one.status(), two.status()]).toMatchObject([
    { state: 'reading', events: 10 },
    { file: 'events.jsonl', state: 'elsewhere', events: 0 },
  ]);
  // Settings apply to the replica that reads as well as to the one that waits.
  const other = `${place.path}-other`;
  for (const { watching } of [one, two])
    await watching.configure([
      { path: place.path, from: 'end' },
      { path: other, from: 'start' },
    ]);
  appendFileSync(other, lines(10, 20));
  await expect.poll(one.taken).toEqual(numbers(0, 20));
  a.drain();
  await expect.poll(() => two.status()?.state).toBe('reading');
  expect(one.status()?.state).toBe('elsewhere');
  appendFileSync(place.path, lines(20, 30));
  appendFileSync(other, lines(30, 40));
  await expect.poll(async () => (await two.taken()).sort((x, y) => x - y)).toEqual(numbers(0, 40));
});

test('a file on a disk that has another number on the next machine is read on where it stopped', async () => {
  const place = newPlace();
  await using first = await start(place);
  appendFileSync(place.path, lines(0, 10));
  await expect.poll(first.taken).toEqual(numbers(0, 10));
  await first[Symbol.asyncDispose]();
  const store = await openSqlite(place.db);
  const known = await store.tails.get(place.path);
  const moved = { ...known, file: `9999:${known?.file.split(':')[1]}` } as TailPlace;
  expect(await store.tails.commit(place.path, known, moved, [])).toBe(true);
  await store[Symbol.asyncDispose]();
  await using second = await start(place);
  appendFileSync(place.path, lines(10, 20));
  await expect.poll(second.taken).toEqual(numbers(0, 20));
});

test('bad lines are counted and reported once; the lines around them are recorded', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  const bad = [
    '{"event":',
    '[]',
    '"text"',
    '{"n":1}',
    '{"event":""}',
    '{"event":5}',
    'null',
    `{"event":"${'x'.repeat(300)}"}`,
  ];
  const notUtf8 = Buffer.from([...Buffer.from('{"event":"'), 0xff, 0xfe, ...Buffer.from('"}\n')]);
  writeFileSync(
    place.path,
    Buffer.concat([Buffer.from(`${line(0)}${bad.join('\n')}\n`), notUtf8, Buffer.from(line(1))]),
  );
  await expect.poll(watcher.taken).toEqual([0, 1]);
  expect(watcher.status()?.bad).toBe(bad.length + 1);
  await expect
    .poll(async () => (await watcher.store.events.query({ type: 'watch.*' })).events)
    .toMatchObject([{ event_type: 'watch.lines_rejected', data: { file: 'events.jsonl', bad: 9, tooLong: 0 } }]);
});

test('a line of more than a megabyte is skipped, even in pieces or across a restart', async () => {
  const place = newPlace();
  writeFileSync(place.path, '');
  {
    await using watcher = await start(place);
    appendFileSync(place.path, `${line(0)}{"event":"x","data":"${'y'.repeat(3_000_000)}`);
    await expect.poll(() => watcher.store.tails.get(place.path)).toMatchObject({ skipping: true });
  }
  await using watcher = await start(place);
  appendFileSync(place.path, `${'y'.repeat(500_000)}"}\n${line(1)}`);
  await expect.poll(watcher.taken).toEqual([0, 1]);
  expect(watcher.status()).toMatchObject({ bad: 0, tooLong: 1 });
});

test('many lines are recorded in order, in bounded batches', async () => {
  const place = newPlace();
  writeFileSync(place.path, lines(0, 20_000));
  await using watcher = await start(place, 'start');
  await expect.poll(() => watcher.status()?.events).toBe(20_000);
  expect(await watcher.taken()).toEqual(numbers(0, 20_000));
});

test('a path that is not a file is reported, and read as soon as it is one', async () => {
  const place = newPlace();
  mkdirSync(place.path);
  await using store = await openSqlite(place.db);
  await using log = createEventLog(store.events, { facts: eventFacts, flushMs: 10 });
  await using watching = createWatching({
    tails: store.tails,
    shared: store.shared,
    events: log,
    redact: (text) => text,
  });
  await watching.configure([{ path: place.path, from: 'end' }]);
  await expect.poll(() => watching.report().watch).toMatchObject([{ state: 'failing', problem: 'it is not a file' }]);
  rmSync(place.path, { recursive: true });
  writeFileSync(place.path, '');
  await expect.poll(() => watching.report().watch).toMatchObject([{ state: 'reading' }]);
  appendFileSync(place.path, line(0));
  await expect.poll(() => watching.report().watch?.[0]?.events).toBe(1);
  const types = async () =>
    (await store.events.query({ type: 'watch.*', order: 'asc' })).events.map((event) => event.event_type);
  await expect.poll(types).toEqual(['watch.failed', 'watch.recovered']);
});

test('listeners of the log get the recorded lines', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  const heard: unknown[] = [];
  watcher.log.subscribe(({ data }) => heard.push(data.n));
  writeFileSync(place.path, lines(0, 3));
  await expect.poll(() => heard).toEqual([0, 1, 2]);
});

test('an unwatched file leaves the report; watched again, it is read on where it stopped', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  writeFileSync(place.path, line(0));
  await expect.poll(watcher.taken).toEqual([0]);
  await watcher.watching.configure([]);
  appendFileSync(place.path, line(1));
  expect(watcher.watching.report()).toEqual({});
  await watcher.watching.configure([{ path: place.path, from: 'end' }]);
  await expect.poll(watcher.taken).toEqual([0, 1]);
});

test.skipIf(process.getuid?.() === 0)('a file without read permission is reported', async () => {
  const place = newPlace();
  writeFileSync(place.path, line(0));
  chmodSync(place.path, 0);
  await using watcher = await start(place, 'start');
  await expect.poll(() => watcher.status()).toMatchObject({ state: 'failing' });
});

test('when another process has moved on to the next file, the previous one is not read again', async () => {
  const place = newPlace();
  await using watcher = await start(place);
  appendFileSync(place.path, lines(0, 5));
  await expect.poll(watcher.taken).toEqual(numbers(0, 5));
  renameSync(place.path, `${place.path}.1`);
  writeFileSync(place.path, lines(5, 8));
  // Act like another process that saw the new file first.
  const known = await watcher.store.tails.get(place.path);
  await using file = await openFile(place.path);
  const offset = await file.size();
  const next = { file: file.id, offset, head: await headOf(file, offset), skipping: false, bad: 0, tooLong: 0 };
  expect(await watcher.store.tails.commit(place.path, known, next, [])).toBe(true);
  appendFileSync(`${place.path}.1`, lines(100, 101));
  appendFileSync(place.path, lines(8, 10));
  await expect.poll(watcher.taken).toEqual([...numbers(0, 5), 8, 9]);
  appendFileSync(place.path, lines(10, 11));
  await expect.poll(watcher.taken).toEqual([...numbers(0, 5), 8, 9, 10]);
});
