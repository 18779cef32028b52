import { expect, it } from 'vitest';
import { masked, readable } from './settings.ts';

it.each([
  ['primary_conninfo', 'host=a password=b', '(hidden)'],
  ['primary_conninfo', '', ''],
  ['ssl_passphrase_command', 'echo word', '(hidden)'],
  ['app.jwt_secret', 'word', '(hidden)'],
  ['password_encryption', 'scram-sha-256', 'scram-sha-256'],
  [
    'archive_command',
    'curl -u x --data password=word https://u:word@host/%f',
    'curl -u x --data password=(hidden) https://u:(hidden)@host/%f',
  ],
  ['archive_command', "AWS_SECRET_KEY='a b' cp %p", "AWS_SECRET_KEY='a b' cp %p".replace("'a b'", '(hidden)')],
  ['work_mem', '4 MB', '4 MB'],
])('shows %s = %s as %s', (name, value, shown) => {
  expect(masked(name, value)).toBe(shown);
});

it.each([
  ['16384', '8kB', '128 MB'],
  ['4096', 'kB', '4 MB'],
  ['300', 's', '300 s'],
  ['-1', 'ms', '-1'],
  ['0', 'ms', '0'],
  ['on', null, 'on'],
  ['1000', 'kB', '1000 kB'],
  ['7', 'parsecs', '7'],
])('reads %s of %s as %s', (value, unit, text) => {
  expect(readable(value, unit)).toBe(text);
});
