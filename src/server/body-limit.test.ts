import { expect, test } from 'vitest';
import { bounded } from './body-limit.ts';

const post = (body: string | ReadableStream, headers: Record<string, string>) =>
  new Request('http://localhost/x', { method: 'POST', body, headers, duplex: 'half' });

test('a request with a content-length passes unchanged or is refused unread', async () => {
  const fits = post('1234', { 'content-length': '4' });
  expect(await bounded(fits, 4)).toBe(fits);
  const long = post('12345', { 'content-length': '5' });
  await expect(bounded(long, 4)).rejects.toMatchObject({ code: 'too_large' });
  expect(long.bodyUsed).toBe(false);
});

test('a chunked request is read up to the limit', async () => {
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled++;
      controller.enqueue(Buffer.alloc(10));
    },
  });
  const chunked = { 'transfer-encoding': 'chunked', 'x-kept': 'yes' };
  await expect(bounded(post(endless, chunked), 25)).rejects.toMatchObject({ code: 'too_large' });
  expect(pulled).toBeLessThan(6);
  const whole = await bounded(post(ReadableStream.from([Buffer.from('12'), Buffer.from('34')]), chunked), 4);
  expect([whole.method, whole.url, whole.headers.get('x-kept'), await whole.text()]).toEqual([
    'POST',
    'http://localhost/x',
    'yes',
    '1234',
  ]);
});
