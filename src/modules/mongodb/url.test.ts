import { expect, test } from 'vitest';
import { addressIn, passwordsIn, readUrl } from './url.ts';

test.each([
  ['mongodb://127.0.0.1', { host: '127.0.0.1', port: 27017 }],
  ['mongodb://user:pw@db:27018/app?x=1', { host: 'db', port: 27018 }],
  ['mongodb://[::1]:5', { host: '::1', port: 5 }],
  ['mongodb://%2Ftmp%2Fmongodb-27017.sock/app', { socket: '/tmp/mongodb-27017.sock' }],
  ['mongodb://u:p@a:1,b:2/app?replicaSet=rs', { text: 'a:1, b:2' }],
  ['mongodb+srv://u:p@cluster.example.net', { text: 'cluster.example.net' }],
])('%s leads to its server, without credentials', (url, address) => {
  expect(addressIn(url)).toEqual(address);
});

test('the database is that of the path', () => {
  expect(readUrl('mongodb://a/my%20app?b=1')?.database).toBe('my app');
  expect(readUrl('mongodb://a/?b=1')?.database).toBeUndefined();
  expect(readUrl('mongodb://a?authSource=admin')?.database).toBeUndefined();
});

test('passwords are found as they are written and as they are meant', () => {
  expect(passwordsIn('mongodb://u:p%40ss@a:1,b:2/')).toEqual(['p%40ss', 'p@ss']);
  expect(passwordsIn('mongodb://u@a/')).toEqual([]);
  expect(passwordsIn('mongodb://u:%zz@a/')).toEqual(['%zz']);
});

test.each(['', 'mongodb:', 'mongodb://', 'mongodb://a,,b', 'mongodb://a b', 'postgres://a', 'mongodb://u:p@'])(
  '%j is no connection string',
  (url) => {
    expect(readUrl(url)).toBeUndefined();
  },
);
