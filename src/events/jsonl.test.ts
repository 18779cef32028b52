import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { RecordedEvent } from '../kernel/events.ts';
import { createJsonlFiles } from './jsonl.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-jsonl-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let places = 0;
const newPlace = () => join(root, `${++places}`, 'events');

const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
beforeEach(() => void warnings.mockClear());

const event = (timestamp: string, n = 0): RecordedEvent => ({
  timestamp,
  trace_id: 'a'.repeat(32),
  event_type: 'tool.call_completed',
  status: 'success',
  data: { n },
});
const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedEvent);
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('each event is a line with exactly five fields, in the file of its day, readable by the owner only', async () => {
  const place = newPlace();
  {
    await using files = createJsonlFiles(place);
    files.add({ ...event('2026-11-15T23:59:59.999Z', 1), id: 5 } as RecordedEvent);
    files.add(event('2026-11-16T00:00:00.000Z', 2));
    files.add(event('2026-11-16T00:00:01.000Z', 3));
  }
  expect(readdirSync(place)).toEqual(['2026-11-15.jsonl', '2026-11-16.jsonl']);
  expect(linesOf(join(place, '2026-11-15.jsonl'))).toEqual([event('2026-11-15T23:59:59.999Z', 1)]);
  expect(linesOf(join(place, '2026-11-16.jsonl')).map(({ data }) => data.n)).toEqual([2, 3]);
  expect([place, join(place, '2026-11-15.jsonl')].map(mode)).toEqual(['700', '600']);
});

test('events are written automatically after a short delay', async () => {
  const place = newPlace();
  await using files = createJsonlFiles(place, { flushMs: 1 });
  files.add(event('2026-11-15T00:00:00.000Z'));
  await expect.poll(() => linesOf(join(place, '2026-11-15.jsonl')).length).toBe(1);
});

test('appends to existing files', async () => {
  const place = newPlace();
  for (const n of [1, 2]) {
    await using files = createJsonlFiles(place);
    files.add(event('2026-11-15T00:00:00.000Z', n));
  }
  expect(linesOf(join(place, '2026-11-15.jsonl')).map(({ data }) => data.n)).toEqual([1, 2]);
});

test('an impossible timestamp does not create an oddly named file', async () => {
  const place = newPlace();
  {
    await using files = createJsonlFiles(place);
    files.add(event('+275760-09-13T00:00:00.000Z'));
    files.add(event('../../../etc/x'));
  }
  expect(readdirSync(place)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\.jsonl$/)]);
});

test.skipIf(process.platform !== 'linux')(
  'a full disk is reported once, lost events are counted, and queued ones are written when there is room',
  async () => {
    const place = newPlace();
    mkdirSync(place, { recursive: true });
    const file = join(place, '2026-11-15.jsonl');
    symlinkSync('/dev/full', file);
    const size = JSON.stringify(event('2026-11-15T00:00:00.000Z')).length + 1;
    await using files = createJsonlFiles(place, { flushMs: 1, maxBytes: 3 * size });
    for (let n = 1; n <= 5; n++) files.add(event('2026-11-15T00:00:00.000Z', n));
    await files.flush();
    expect(files.status()).toMatchObject({ lost: 2, error: expect.stringContaining('ENOSPC') as string });
    await files.flush();
    expect(warnings).toHaveBeenCalledTimes(1);
    rmSync(file);
    await expect.poll(() => files.status()).toEqual({ lost: 2 });
    expect(linesOf(file).map(({ data }) => data.n)).toEqual([1, 2, 3]);
    files.add(event('2026-11-15T00:00:00.000Z', 6));
    await files.flush();
    expect(linesOf(file)).toHaveLength(4);
  },
);

test('prune deletes only the files of earlier days', async () => {
  const place = newPlace();
  mkdirSync(place, { recursive: true });
  const names = ['2026-10-01.jsonl', '2026-10-15.jsonl', '2026-10-16.jsonl', 'notes.jsonl', '2026-01-01.txt'];
  for (const name of names) writeFileSync(join(place, name), '');
  await using files = createJsonlFiles(place);
  expect(await files.prune(new Date('2026-10-16T12:00:00Z'))).toBe(2);
  expect(readdirSync(place).sort()).toEqual(['2026-01-01.txt', '2026-10-16.jsonl', 'notes.jsonl']);
  await using none = createJsonlFiles(join(place, 'none'));
  expect(await none.prune(new Date())).toBe(0);
});
