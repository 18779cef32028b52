import { expect, test } from 'vitest';
import { addressOf, placeOf } from './failures.ts';

test.each([
  ['redis://user:secret@cache:7000/2', 6379, 'cache:7000'],
  ['redis://cache', 6379, 'cache:6379'],
  ['https://prometheus.example.com/path', undefined, 'prometheus.example.com:443'],
  ['http://[::1]:9090', undefined, '[::1]:9090'],
])('the place of %s', (url, port, place) => {
  expect(placeOf(addressOf(url, port))).toBe(place);
});
