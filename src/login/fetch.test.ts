import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFetch } from './fetch.ts';

let asked = 0;
const inside = createServer((_, response) => {
  asked++;
  response.end('{}');
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
});
afterAll(() => inside.close());

it('connects to this machine only for a server that is on this machine', async () => {
  const far = createFetch({ isLocal: () => false });
  await expect(far(url, { method: 'GET' })).rejects.toThrow('is not an https URL');
  expect(asked).toBe(0);
  const near = createFetch({ isLocal: () => true });
  expect((await near(url, { method: 'GET' })).status).toBe(200);
  expect(asked).toBe(1);
});

it('never uses plain http over a network', async () => {
  const near = createFetch({ isLocal: () => true });
  await expect(near('http://192.0.2.1/', { method: 'GET' })).rejects.toThrow('is not an https URL');
});
