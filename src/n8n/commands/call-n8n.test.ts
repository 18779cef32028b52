import { expect, test } from 'vitest';
import { callN8n } from './call-n8n.ts';
import type { GatewayClient } from '../../cli/client.ts';

/** A gateway without tools for n8n, whose status has these parts. */
const gatewayWith = (parts: readonly unknown[]): GatewayClient =>
  ({
    call: async (name: string) =>
      name === 'gateway_status'
        ? { result: { content: [], structuredContent: { parts } } }
        : { error: { code: -32602, message: `Unknown tool: ${name}` } },
  }) as unknown as GatewayClient;

test('a local n8n that is starting for the first time is said to be starting', async () => {
  const client = gatewayWith([{ name: 'local n8n', kind: 'local-n8n', state: 'starting', detail: 'n8n 2.41.1' }]);
  await expect(callN8n(client, 'bridge_status', {}, {})).rejects.toThrow('local n8n is starting (n8n 2.41.1');
});

test('without any n8n it is said how to connect one', async () => {
  await expect(callN8n(gatewayWith([]), 'bridge_status', {}, {})).rejects.toThrow('no n8n is connected');
});
