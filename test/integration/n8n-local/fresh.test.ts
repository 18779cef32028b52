import { describe, expect, test } from 'vitest';
import { N8N_START_MS, n8nIsMissing, startFreshN8n } from '../../support/n8n.ts';

describe.skipIf(n8nIsMissing)(`a fresh n8n (skipped where it is not installed)`, () => {
  test(
    'keeps its data and address after a kill, and stops at the end',
    async () => {
      let url = '';
      {
        await using n8n = await startFreshN8n({ env: { N8N_PAYLOAD_SIZE_MAX: '1' } });
        url = n8n.url;
        const headers = { 'x-n8n-api-key': n8n.apiKey, 'content-type': 'application/json' };
        const post = (name: string) =>
          fetch(`${n8n.url}/api/v1/workflows`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ name, nodes: [], connections: {}, settings: {} }),
          });
        expect((await post('kept')).status).toBe(200);
        // n8n gets the extra environment variables.
        expect((await post('x'.repeat(2 ** 20))).status).toBe(413);
        await n8n.kill();
        await n8n.ready();
        const listed = (await (await fetch(`${n8n.url}/api/v1/workflows`, { headers })).json()) as {
          data: { name: string }[];
        };
        expect(listed.data.map(({ name }) => name)).toEqual(['kept']);
      }
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    },
    N8N_START_MS,
  );
});
