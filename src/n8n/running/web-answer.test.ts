import { describe, expect, test } from 'vitest';
import { describeAnswer } from './web-answer.ts';
import { isUnregistered } from './web-call.ts';

const answer = (body: string | Buffer, headers: Record<string, string> = {}, status = 200) => ({
  status,
  headers: new Headers(headers),
  bytes: Buffer.from(body),
  cut: false,
});

describe('an answer', () => {
  test('of JSON is shown parsed, of text as it is', () => {
    expect(describeAnswer(answer('{"a":1}', { 'content-type': 'application/json' }), 100)).toEqual({
      status: 200,
      content_type: 'application/json',
      body: { a: 1 },
    });
    expect(describeAnswer(answer('hello'), 100)).toEqual({ status: 200, body: 'hello' });
    expect(describeAnswer(answer('', {}, 204), 100)).toEqual({ status: 204 });
  });

  test('that is long is shortened, and tells its size', () => {
    const long = describeAnswer(answer('x'.repeat(9000), { 'content-type': 'text/plain' }), 500);
    expect(long.bytes).toBe(9000);
    expect(JSON.stringify(long.body).length).toBeLessThan(510);
  });

  test('that is binary is described', () => {
    const png = answer(Buffer.from([137, 80, 0]), {
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="a.png"',
    });
    expect(describeAnswer(png, 100)).toEqual({
      status: 200,
      content_type: 'image/png',
      file: 'a.png',
      bytes: 3,
      sha256: expect.stringMatching(/^\w{64}$/) as string,
    });
    expect(describeAnswer(answer(Buffer.from([1, 0, 2])), 100).body).toBeUndefined();
  });

  test('that leads elsewhere says where', () => {
    expect(describeAnswer(answer('', { location: 'https://example.com' }, 302), 100)).toEqual({
      status: 302,
      location: 'https://example.com',
    });
  });
});

test('tells a 404 of n8n itself from one of the workflow', () => {
  const said = (message: string, code?: number) => isUnregistered(answer(JSON.stringify({ code, message }), {}, 404));
  expect(said('The requested webhook "POST a" is not registered.', 404)).toBe(true);
  expect(said('This webhook is not registered for GET requests. Did you mean to make a POST request?', 404)).toBe(true);
  expect(said('The webhook of this order is not registered', 404)).toBe(false);
  expect(said('The requested webhook "POST a" is not registered.')).toBe(false);
  expect(isUnregistered(answer('{"message":"No such order"}', {}, 404))).toBe(false);
  expect(isUnregistered(answer('not registered', {}, 404))).toBe(false);
  expect(isUnregistered(answer('{"message":"is not registered"}', {}, 200))).toBe(false);
});
