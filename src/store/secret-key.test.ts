import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { masterKey } from './master-key.ts';
import { givenKey, keyOf } from './secret-key.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-key-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const long = 'correct horse battery staple, twice over';

test('comes from one variable or from a file, without surrounding blanks', () => {
  const file = join(home, 'key');
  writeFileSync(file, `${long}\n`);
  expect(givenKey({})).toBeUndefined();
  expect(givenKey({ SLUICE_SECRET_KEY: '', SLUICE_SECRET_KEY_FILE: '' })).toBeUndefined();
  expect(givenKey({ SLUICE_SECRET_KEY: `${long}\n` })).toEqual({ variable: 'SLUICE_SECRET_KEY', text: long });
  expect(givenKey({ SLUICE_SECRET_KEY_FILE: file })).toEqual({ variable: 'SLUICE_SECRET_KEY_FILE', text: long });
});

test('a short, a missing and a doubled key are problems that quote no key', () => {
  const file = join(home, 'key');
  writeFileSync(file, 'short-secret\n');
  const problems = [
    givenKey({ SLUICE_SECRET_KEY: 'short-secret' }),
    givenKey({ SLUICE_SECRET_KEY: ' '.repeat(40) }),
    givenKey({ SLUICE_SECRET_KEY_FILE: file }),
    givenKey({ SLUICE_SECRET_KEY_FILE: join(home, 'none') }),
    givenKey({ SLUICE_SECRET_KEY_FILE: home }),
    givenKey({ SLUICE_SECRET_KEY: long, SLUICE_SECRET_KEY_FILE: file }),
  ];
  expect(problems.map((one) => one && 'problem' in one && one.problem)).toEqual([
    'has fewer than 32 characters',
    'has fewer than 32 characters',
    'has fewer than 32 characters',
    expect.stringContaining('does not exist'),
    expect.stringContaining('directory'),
    'is set together with SLUICE_SECRET_KEY',
  ]);
  expect(JSON.stringify(problems)).not.toContain('short-secret');
  expect(problems[0]).toMatchObject({ fix: expect.stringContaining('openssl rand -hex 32') });
});

test('a text gives always the same 32 bytes, and another text others', () => {
  expect(keyOf(long)).toHaveLength(32);
  expect(keyOf(long)).toEqual(keyOf(long));
  expect(keyOf(long)).not.toEqual(keyOf(`${long}.`));
  // Released: another result would make every stored secret unreadable.
  expect(keyOf(long).toString('hex')).toMatchInlineSnapshot(
    `"146e11caaa8e389e5aa320d7eb6aa5a31fb54920417cb1bb33ff6dc22a774608"`,
  );
});

test('the content of sluice.key is the same key on another machine', () => {
  const file = join(home, 'sluice.key');
  const key = masterKey(file);
  expect(keyOf(readFileSync(file, 'utf8').trim())).toEqual(key);
  expect(keyOf(readFileSync(file, 'utf8').trim().toUpperCase())).toEqual(key);
});
