import type { Json } from '../../../src/kernel/source.ts';

/** A webhook that answers with `value`. */
export function answering(path: string, value: unknown = 1) {
  return {
    nodes: [
      {
        id: 'in-1',
        name: 'In',
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        position: [100, 200],
        parameters: { path, responseMode: 'lastNode' },
        webhookId: 'b0b5a3a4-1111-4111-8111-000000000001',
        notes: 'the door',
      },
      {
        id: 'set-1',
        name: 'Answer',
        type: 'n8n-nodes-base.set',
        typeVersion: 3.4,
        position: [320, 200],
        parameters: { mode: 'raw', jsonOutput: JSON.stringify({ value }) },
      },
    ],
    connections: { In: { main: [[{ node: 'Answer', type: 'main', index: 0 }]] } },
  } satisfies Json;
}
