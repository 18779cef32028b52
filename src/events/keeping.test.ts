import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createEventLog } from '../store/event-log.ts';
import { openSqlite } from '../store/sqlite/open.ts';
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
  const settings = { keep: 1e9, max: 1000, arguments: false };
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
