import { describe, expect, test } from 'vitest';
import { readObject } from './json-body.ts';

const post = (body: string | ReadableStream, type: string | null = 'application/json') =>
  new Request('http://localhost/', {
    method: 'POST',
    body,
    duplex: 'half',
    headers: type === null ? {} : { 'content-type': type },
  });

test('reads an object, even in chunks that split a character', async () => {
  const bytes = Buffer.from('{"name":"ü"}');
  const halves = ReadableStream.from([bytes.subarray(0, 10), bytes.subarray(10)]);
  expect(await readObject(post(halves))).toEqual({ name: 'ü' });
  expect(await readObject(post('{}', 'application/json; charset=utf-8'))).toEqual({});
});

describe('refused', () => {
  test.each([
    ['not an object', '[1]', 'application/json', 'invalid_input'],
    ['null', 'null', 'application/json', 'invalid_input'],
    ['truncated JSON', '{"name":', 'application/json', 'invalid_input'],
    ['nothing', '', 'application/json', 'invalid_input'],
    ['excessive nesting', `${'['.repeat(400)}${']'.repeat(400)}`, 'application/json', 'invalid_input'],
    ['a form', 'name=x', 'application/x-www-form-urlencoded', 'wrong_media_type'],
    ['text, which a web page can send anywhere', '{}', 'text/plain', 'wrong_media_type'],
    ['no type', '{}', '', 'wrong_media_type'],
  ])('%s', async (_, body, type, code) => {
    await expect(readObject(post(body, type === '' ? null : type))).rejects.toMatchObject({ code });
  });
});
