import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startGateway } from '../harness.ts';

function ask(url: string, headers: Record<string, string>, path = '/mcp'): Promise<number> {
  return new Promise((resolve, reject) => {
    request(new URL(path, url), { method: 'POST', headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end('{}');
  });
}

test.each([
  ['Host', (n: number) => ({ host: `evil-${n}.example` })],
  ['Origin', (n: number) => ({ origin: `https://evil-${n}.example` })],
])('a changing %s does not fill the audit log', async (_, headers) => {
  await using gateway = await startGateway({ auth: { mode: 'keys' } });
  const statuses = [];
  for (let n = 0; n < 300; n++) statuses.push(await ask(gateway.url, headers(n)));
  expect(new Set(statuses)).toEqual(new Set([403]));
  const { events } = await gateway.stored({ type: 'auth.refused' });
  expect(events.map(({ data }) => data)).toEqual([
    { address: '127.0.0.1', reason: expect.stringContaining('evil-0.example') as string, times: 1 },
  ]);
});
