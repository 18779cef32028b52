import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import { filterInput, memoryTool, type MemoryDeps } from '../tool.ts';

const input = z.strictObject({
  ids: z.array(z.string().min(1)).min(1).max(500).optional().describe('These memories'),
  ...filterInput,
});

export const memoryForget = memoryTool({
  name: 'memory_forget',
  title: 'Forget memories',
  description: 'Erases memories for good, with every version: by id, or all that fit a filter.',
  phrases:
    'forget this; forget everything about; delete a memory; erase what you know about; remove memories with a tag; delete old memories; erase my data; clear memories from before; get rid of a memory; unlearn; wipe what you remember about me',
  effect: 'delete',
  input,
  output: z.object({ forgotten: z.int() }),
  async preview(given, deps, { principal }) {
    const { roots, namespaces } = await chosen(given, deps, principal);
    if (roots.length === 0) return undefined;
    const many = roots.length === 1 ? '1 memory' : `${roots.length} memories`;
    return `Erases ${many} in ${namespaces.join(', ')}, with every version. This cannot be undone.`;
  },
  async run(given, deps, { principal }) {
    const { roots, namespaces } = await chosen(given, deps, principal);
    const { memory } = await deps.open();
    return { forgotten: roots.length === 0 ? 0 : await memory.erase(roots, namespaces, principal) };
  },
});

async function chosen({ ids, ...filter }: z.output<typeof input>, { open }: MemoryDeps, principal: Principal) {
  const filtered = Object.values(filter).some((value) => value !== undefined);
  if (ids ? filtered : !filtered)
    throw new AppError(
      'invalid_input',
      'Say which: either ids, or a filter (namespace, tags, metadata, since, until).',
    );
  const { memory } = await open();
  return memory.toErase(ids, filter, principal);
}
