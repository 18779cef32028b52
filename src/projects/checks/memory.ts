import { z } from 'zod';
import { defaultCheck } from './default-check.ts';

/** A namespace of the memory. */
export const memoryCheck = defaultCheck({
  kind: 'memory',
  absent: () => ({ seen: 'the memory is off', next: 'Remove memory: false from sluice.yaml.' }),
  tool: () => 'memory_list_namespaces',
  arguments: ({ name }) => ({ name }),
  answer: z.object({
    namespaces: z.array(z.object({ name: z.string(), memories: z.int(), newest: z.string().optional() })),
  }),
  read({ namespaces }, { name }) {
    const found = namespaces.find((one) => one.name === name);
    if (!found)
      return {
        state: 'failing',
        seen: 'no such namespace that this key may use',
        next: 'memory_list_namespaces shows the namespaces.',
      };
    const { memories, newest } = found;
    const many = memories === 1 ? '1 memory' : `${memories} memories`;
    return { state: 'ok', seen: `${many}${newest === undefined ? '' : `, newest ${newest}`}` };
  },
});
