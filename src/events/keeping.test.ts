import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createEventLog } from '../store/event-log.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { sharedByReplicas } from '../../test/support/shared-by-replicas.ts';
import { keepEvents } from './keeping.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-keeping-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const typesIn = (directory: string) =>
  readdirSync(directory)
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').trimEnd().split('\n'))
    .map((line) => (JSON.parse(line) as { event_type: string }).event_type);

test('when the directory of the files changes, each event is written to exactly one of the two', async () => {
  await using store = await openSqlite(':memory:');
  await using log = createEventLog(store.events);
  const [before, after] = [join(root, 'before'), join(root, 'after')];
  const settings = { keep: 1e9, max: 1000, maxSize: 2048, arguments: false };
  const kept = await keepEvents({ store, log, redact: (text) => text }, { ...settings, jsonl: before });
  const happens = (type: string) =>
    log.passOn([{ timestamp: new Date().toISOString(), trace_id: 't', event_type: type, status: 'success', data: {} }]);
  happens('one');
  const moving = kept.configure({ ...settings, jsonl: after });
  happens('two');
  await moving;
  happens('three');
  await kept[Symbol.asyncDispose]();
  expect(typesIn(before)).toEqual(['one']);
  expect(typesIn(after)).toEqual(['two', 'three']);
});

test('a live feed shows the events of another replica as soon as that one has stored them', async () => {
  await using store = await openSqlite(':memory:');
  const [one, two] = sharedByReplicas();
  await using here = createEventLog(store.events);
  await using there = createEventLog(store.events, { flushMs: 1 });
  const settings = { keep: 1e9, max: 1000, maxSize: 2048, arguments: false };
  const redact = (text: string) => text;
  await using kept = await keepEvents({ store: { ...store, shared: one }, log: here, redact }, settings);
  await using _other = await keepEvents({ store: { ...store, shared: two }, log: there, redact }, settings);
  const feed = kept.feed({ filter: {}, live: true }, AbortSignal.timeout(10_000));
  expect((await feed.next()).value).toBe('{"position":0}\n');
  const next = feed.next();
  const began = performance.now();
  there.record({ type: 'happened' });
  expect(JSON.parse((await next).value as string)).toMatchObject({ event_type: 'happened' });
  // Without a hint the store is polled every two seconds.
  expect(performance.now() - began).toBeLessThan(1500);
  await feed.return(undefined);
});
