import { z } from 'zod';
import { neededType } from '../found.ts';
import { entryId, groupInput } from '../stream-schema.ts';
import { key, redisTool } from '../tool.ts';

export const createGroup = redisTool({
  name: 'redis_create_group',
  title: 'Create a consumer group',
  description: 'Creates a consumer group of a stream that reads from now on, from the beginning, or from after an id.',
  phrases: 'create a consumer group; xgroup create; new group for a stream; consume a stream with workers',
  effect: 'create',
  input: z.strictObject({
    ...key,
    group: groupInput.describe('Its name'),
    from: z
      .union([z.enum(['new', 'beginning']), entryId])
      .default('new')
      .describe('new, beginning, or the id after which it reads'),
  }),
  output: z.object({ key: z.string(), group: z.string() }),
  async run({ key, group, from }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'stream');
    const id = from === 'new' ? '$' : from === 'beginning' ? '0' : from;
    await send('XGROUP', 'CREATE', name, group, id);
    return { key, group };
  },
});
