import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { neverSent } from '../kernel/unreachable.ts';
import { createHttpClient } from './http-client.ts';

function failureOf(url: URL): Promise<Error> {
  const client = createHttpClient({ url });
  return new Promise<Error>((resolve, reject) => {
    const answered = () => reject(new Error('It answered.'));
    client.request(url, { method: 'POST', headers: {}, body: 'x' }, answered, resolve);
  }).finally(() => client.destroy());
}

test('a refused connection has sent nothing; one that breaks off may have', async () => {
  const server = createServer((req) => req.socket.destroy());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/`);
  expect(neverSent(await failureOf(url))).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(neverSent(await failureOf(url))).toBe(true);
  // A name with several addresses.
  expect(neverSent(await failureOf(new URL(`http://localhost:${port}/`)))).toBe(true);
});
