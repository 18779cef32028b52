import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createPoster } from './post.ts';
import { verdictOn } from './verdict.ts';

/** What comes of a post that is answered so. */
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
  'who answers 200 has taken it',
  async (body) => {
    expect(await answered(200, body)).toEqual({ kind: 'accepted' });
  },
);

test('an n8n that is only starting says 200, and has taken nothing', async () => {
  expect(await answered(200, 'n8n is starting up. Please wait')).toEqual({
    kind: 'unavailable',
    reason: 'n8n is still starting',
  });
});
