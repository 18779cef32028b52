import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { neededType } from '../found.ts';
import { fieldsIn, listIn, numberIn, textIn } from '../replies.ts';
import { counted } from '../sentences.ts';
import { groupInput } from '../stream-schema.ts';
import { key, redisTool } from '../tool.ts';

export const deleteGroup = redisTool({
  name: 'redis_delete_group',
  title: 'Delete a consumer group',
  description: 'Deletes a consumer group of a stream with its pending list. The entries of the stream stay.',
  phrases: 'delete a consumer group; xgroup destroy; remove a group from a stream',
  effect: 'delete',
  input: z.strictObject({ ...key, group: groupInput.describe('Its name') }),
  output: z.object({ key: z.string(), group: z.string() }),
  async preview({ key, group }, redis, { signal }) {
    const name = redis.keys.need(key);
    const send = redis.during(signal);
    await neededType(send, name, 'stream');
    const groups = listIn(await send('XINFO', 'GROUPS', name)).map(fieldsIn);
    const found = groups.find((one) => textIn(one.get('name') ?? '') === group);
    if (!found) throw noGroup(key, group);
    const pending = counted(numberIn(found.get('pending') ?? '0'), 'entry', 'entries');
    return `Deletes the consumer group ${group} of the stream ${key.slice(0, 200)} and forgets that ${pending} were read but not acknowledged.`;
  },
  async run({ key, group }, redis, { signal }) {
    const name = redis.keys.need(key);
    if (numberIn(await redis.during(signal)('XGROUP', 'DESTROY', name, group)) === 0) throw noGroup(key, group);
    return { key, group };
  },
});

const noGroup = (key: string, group: string) =>
  new AppError(
    'not_found',
    `The stream ${key.slice(0, 200)} has no consumer group ${group}. redis_get_stream_info shows its groups.`,
  );
