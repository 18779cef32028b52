import { expect, test } from 'vitest';
import { batchesOf } from './url-model.ts';

test('a request has at most 64 texts', () => {
  const texts = Array.from({ length: 130 }, (_, at) => `${at}`);
  expect([...batchesOf(texts)].map(({ length }) => length)).toEqual([64, 64, 2]);
  expect([...batchesOf(texts)].flat()).toEqual(texts);
});

test('a request has at most 200 KB, in bytes and not in characters', () => {
  const texts = Array.from({ length: 30 }, () => '字'.repeat(8000));
  expect([...batchesOf(texts)].map(({ length }) => length)).toEqual([8, 8, 8, 6]);
});

test('nothing makes no request', () => {
  expect([...batchesOf([])]).toEqual([]);
});
