import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { latePages } from './late-pages.ts';

test('a request for which the code cannot be loaded gets a 503, and the next one is served', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  let works = false;
  const pages = latePages(async () => {
    if (!works) throw new Error('EMFILE');
    return async (_, response) => void response.end('served');
  });
  const server = createServer((request, response) => void pages(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?key=1`;
  const failed = await fetch(url);
  expect([failed.status, await failed.text()]).toEqual([503, expect.stringContaining('could not load')]);
  expect(warned).toHaveBeenCalledWith('What answers /x cannot be loaded: EMFILE');
  works = true;
  expect(await (await fetch(url)).text()).toBe('served');
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
  warned.mockRestore();
});
