import { z } from 'zod';
import { idInput, memoryOutput, memoryTool, shownMemory } from '../tool.ts';

export const memoryPin = memoryTool({
  name: 'memory_pin',
  title: 'Pin a memory',
  description: 'Pins a memory, so that it does not fade with age, or unpins it.',
  phrases:
    'pin this memory; pin a fact; keep it at the top; this is important, always remember; unpin; keep a memory from fading; it must never get old; a memory should not lose its rank with age; favourite memory; mark as important for good',
  effect: 'update',
  input: z.strictObject({ id: idInput, pin: z.boolean().default(true).describe('false unpins it') }),
  output: memoryOutput,
  async run({ id, pin }, { open }, { principal }) {
    const { memory } = await open();
    return shownMemory(await memory.pin(id, pin, principal));
  },
});
