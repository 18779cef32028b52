import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { createN8nHttp } from './http.ts';

test('retries while n8n says with status 200 that it is starting, and never returns that as an answer', async () => {
  let asked = 0;
  let ready = false;
  const server = createServer((_, response) => {
    asked++;
    response.end(ready ? '{"data":[]}' : 'n8n is starting up. Please wait');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createN8nHttp({ name: 'default', url, headers: {}, timeoutMs: 5000 });
  try {
    await expect(http.ask('GET', '/api/v1/workflows')).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toBe(3);
    await expect(http.ask('POST', '/api/v1/workflows', { body: {} })).rejects.toMatchObject({ code: 'unavailable' });
    ready = true;
    expect(await http.ask('GET', '/api/v1/workflows')).toEqual({ data: [] });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('reads no more of an answer than the caller can use', async () => {
  let sent = 0;
  const server = createServer((request, response) => {
    // Without an end, as far as anybody reads.
    const more = () => {
      sent += 100_000;
      if (!response.destroyed && response.write('x'.repeat(100_000))) setImmediate(more);
      else response.once('drain', more);
    };
    if (request.url === '/small') response.end('"ok"');
    else more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createN8nHttp({ name: 'default', url, headers: {}, timeoutMs: 20_000 });
  try {
    await expect(http.ask('GET', '/endless', { largest: 1_000_000 })).rejects.toMatchObject({
      code: 'too_large',
      message: 'n8n (default) answered 200 with more than 1 MB. Ask for less, for example with a smaller limit.',
    });
    expect(sent).toBeLessThan(20_000_000);
    sent = 0;
    await expect(http.ask('POST', '/endless')).rejects.toThrow('answered 200 with more than 64 MB');
    expect(sent).toBeLessThan(90_000_000);
    expect(await http.ask('GET', '/small', { largest: 1_000_000 })).toBe('ok');
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}, 30_000);

test('a call that ends with a reason of ours is cancelled, whatever the reason', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createN8nHttp({ name: 'default', url, headers: {}, timeoutMs: 20_000 });
  try {
    const ending = new AbortController();
    const asked = http.ask('POST', '/hangs', { body: {}, signal: ending.signal });
    server.once('request', () => ending.abort(new AppError('unavailable', 'Sluice is stopping.')));
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
