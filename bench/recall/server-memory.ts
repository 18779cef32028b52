import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import type { Ranker } from './ranker.ts';

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js');
const found = z.object({ structuredContent: z.object({ entities: z.array(z.object({ name: z.string() })) }) });

/** The official memory server: one entity per note, results in the server's order. */
export function serverMemory(folder: string): Ranker {
  const client = new Client({ name: 'bench', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program],
    env: { PATH: process.env.PATH ?? '', MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    stderr: 'ignore',
  });
  return {
    name: 'server-memory, search_nodes',
    async prepare(notes) {
      await client.connect(transport);
      const entities = notes.map(({ id, text }) => ({ name: id, entityType: 'note', observations: [text] }));
      const { isError } = await client.callTool({ name: 'create_entities', arguments: { entities } });
      if (isError) throw new Error('server-memory did not store the notes.');
    },
    async rank(query) {
      const reply = await client.callTool({ name: 'search_nodes', arguments: { query } });
      return found.parse(reply).structuredContent.entities.map(({ name }) => name);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
