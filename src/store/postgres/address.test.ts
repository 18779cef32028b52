import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { placeOf, readAddress } from './address.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-address-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an address has everything decoded, and the usual port', () => {
  expect(readAddress('postgres://an%40a:p%2Fw@db.example/my%20store')).toEqual({
    host: 'db.example',
    port: 5432,
    database: 'my store',
    user: 'an@a',
    password: 'p/w',
    ssl: false,
  });
  const six = readAddress('postgresql://u@[::1]:5433/d');
  expect(six).toMatchObject({ host: '::1', port: 5433, password: undefined });
  expect('host' in six && placeOf(six)).toBe('[::1]:5433/d');
});

test('encryption is as strict as asked for', () => {
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, 'PEM');
  const ssl = (query: string) => {
    const address = readAddress(`postgres://u@h/d?${query}`);
    return 'ssl' in address ? address.ssl : address;
  };
  expect(ssl('sslmode=disable')).toBe(false);
  expect(ssl('sslmode=require')).toEqual({ rejectUnauthorized: false, checkHost: false });
  expect(ssl(`sslmode=require&sslrootcert=${ca}`)).toEqual({ ca: 'PEM', rejectUnauthorized: true, checkHost: false });
  expect(ssl('sslmode=verify-ca')).toEqual({ rejectUnauthorized: true, checkHost: false });
  expect(ssl('sslmode=verify-full')).toEqual({ rejectUnauthorized: true, checkHost: true });
  expect(ssl(`sslmode=require&sslcert=${ca}&sslkey=${ca}`)).toMatchObject({ cert: 'PEM', key: 'PEM' });
});

test.each([
  ['postgres//', 'is not a URL'],
  ['postgres:///d', 'names no host'],
  ['postgres://u@h', 'names no database'],
  ['postgres://h/d', 'names no user'],
  ['postgres://u:%zz@h/d', 'has a % that stands for nothing'],
  ['postgres://u@h/d?sslmode=prefer', 'has an unknown sslmode prefer'],
  ['postgres://u@h/d?pool=3', 'has an unknown parameter pool'],
  [
    'postgres://u@h/d?sslmode=require&sslrootcert=/no/such.pem',
    'names the sslrootcert /no/such.pem, which does not exist',
  ],
  [`postgres://u@h/d?sslmode=require&sslkey=${folder}`, `names the sslkey ${folder}, which is a directory, not a file`],
])('%s %s', (text, problem) => {
  expect(readAddress(text)).toEqual({ problem, fix: expect.stringMatching(/\.$/) as string });
});
