import { z } from 'zod';
import { memoryTool } from '../tool.ts';

export const memoryDropNamespace = memoryTool({
  name: 'memory_drop_namespace',
  title: 'Drop a namespace',
  description: 'Deletes a namespace with all its memories, or only if it has none.',
  phrases:
    'delete a namespace; drop a namespace; drop a memory collection; erase everything in a namespace; wipe a namespace; remove a whole memory space; get rid of a namespace with all its memories',
  effect: 'delete',
  input: z.strictObject({
    name: z.string().min(1).max(200).describe('Of the namespace'),
    if_empty: z.boolean().optional().describe('Fails if there are memories in it'),
  }),
  output: z.object({ name: z.string(), forgotten: z.int() }),
  async preview({ name, if_empty = false }, { open }, { principal }) {
    const { memory, namespaces } = await open();
    const [content] = await memory.contents(await namespaces.forReading(name, principal));
    if (if_empty) return `Deletes the namespace ${name} if it is empty.`;
    return `Deletes the namespace ${name} with ${content?.versions ?? 0} memories and versions. This cannot be undone.`;
  },
  async run({ name, if_empty = false }, { open }, { principal }) {
    const { memory, namespaces } = await open();
    const [content] = await memory.contents(await namespaces.forReading(name, principal));
    await (if_empty ? memory.dropEmpty(name, principal) : memory.drop(name, principal));
    return { name, forgotten: content?.memories ?? 0 };
  },
});
