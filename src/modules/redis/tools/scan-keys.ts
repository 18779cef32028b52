import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { scanKeys } from '../keyspace.ts';
import { fitted } from '../scan.ts';
import { cursorInput, cursorOutput, limitOf, patternInput, redisTool } from '../tool.ts';
import { viewedName } from '../view.ts';

export const scanKeysTool = redisTool({
  name: 'redis_scan_keys',
  title: 'Find keys',
  description:
    'Finds keys by pattern, such as app:user:*, a page at a time and in no order. A page may be empty although there are more: go on while there is a cursor.',
  phrases:
    'list redis keys; find keys by pattern; which keys are in redis; search for a key; show all keys that begin with a prefix; keys matching a glob',
  effect: 'read',
  input: z.strictObject({
    pattern: patternInput.optional().describe('Glob: * any run, ? one, [ab] a choice, \\ escapes; default all'),
    type: z.enum(['string', 'hash', 'list', 'set', 'zset', 'stream']).optional().describe('Only keys of this type'),
    limit: limitOf(100),
    cursor: cursorInput,
  }),
  output: z.object({ keys: z.array(z.string()), cursor: cursorOutput }),
  async run({ pattern, type, limit, cursor }, redis, { signal }) {
    const found = await scanKeys(redis, signal, { pattern, type, limit, cursor });
    const { views, ...rest } = fitted(found, viewedName, (all) => fittingItems(all));
    return { keys: [...views], ...rest };
  },
});
