import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';
import { followLog, lastLines } from './log-tail.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
  path = join(folder, 'deep', 'n8n.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a log file', () => {
  test('is appended to, and only its owner can read it', () => {
    openLogFile(path).write('one\n');
    openLogFile(path).write('two\n');
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('never gets larger than twice its cap', () => {
    const log = openLogFile(path, 100);
    for (let count = 0; count < 1000; count++) log.write(`line ${count}\n`);
    expect(statSync(path).size + statSync(`${path}.1`).size).toBeLessThanOrEqual(200);
    expect(readFileSync(path, 'utf8')).toContain('line 999\n');
  });

  test('that cannot be written does not throw', () => {
    const log = openLogFile(path);
    rmSync(join(folder, 'deep'), { recursive: true });
    expect(() => log.write('lost\n')).not.toThrow();
  });
});

describe('its end', () => {
  test('is the last lines, however long the file is', async () => {
    const log = openLogFile(path);
    for (let count = 0; count < 20_000; count++) log.write(`line ${count} ${'x'.repeat(20)}\n`);
    const { text, end } = await lastLines(path, 3000);
    expect(text.split('\n').filter(Boolean)).toHaveLength(3000);
    expect(text).toMatch(/^line 17000 /);
    expect(end).toBe(statSync(path).size);
  });

  test('is nothing when there is no file', async () => {
    expect(await lastLines(path, 10)).toEqual({ text: '', end: 0 });
  });

  test('is followed into a new file', async () => {
    const log = openLogFile(path, 50);
    log.write('old\n');
    let said = '';
    const stop = new AbortController();
    const following = followLog(path, 4, (text) => (said += text), stop.signal);
    log.write('new\n');
    await expect.poll(() => said).toBe('new\n');
    log.write(`${'x'.repeat(46)}\n`);
    log.write('after\n');
    await expect.poll(() => said).toContain('after\n');
    stop.abort();
    await following;
  });
});
