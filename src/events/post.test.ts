import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createPoster } from './post.ts';
import { verdictOn } from './verdict.ts';

/** The verdict on a post that gets this answer. */
async function answered(status: number, body: string) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    using poster = createPoster(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook/x`, 5000);
    return verdictOn(await poster.post('{}', {}, new AbortController().signal));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test.each(['', '{"ok":true}', 'Workflow was started', 'x'.repeat(200_000)])(
  'status 200 means accepted',
  async (body) => {
    expect(await answered(200, body)).toEqual({ kind: 'accepted' });
  },
);

test('an n8n that is still starting answers 200 and has accepted nothing', async () => {
  expect(await answered(200, 'n8n is starting up. Please wait')).toEqual({
    kind: 'unavailable',
    reason: 'n8n is still starting',
  });
});
