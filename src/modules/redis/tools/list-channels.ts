import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { bytesListIn, listIn, numberIn } from '../replies.ts';
import { limitOf, patternInput, redisTool } from '../tool.ts';
import { viewedName } from '../view.ts';

export const listChannels = redisTool({
  name: 'redis_list_channels',
  title: 'List channels',
  description: 'Lists the pub/sub channels that have subscribers, with how many.',
  phrases:
    'which channels are there; who listens on redis channels; pubsub channels; active subscriptions; number of subscribers',
  effect: 'read',
  input: z.strictObject({
    pattern: patternInput.default('*').describe('Glob over their names'),
    limit: limitOf(100),
  }),
  output: z.object({
    channels: z.array(z.object({ channel: z.string(), subscribers: z.int() })),
    left_out: z.int().optional().describe('How many more there are: narrow the pattern'),
  }),
  async run({ pattern, limit }, redis, { signal }) {
    const send = redis.during(signal);
    const all = bytesListIn(await send('PUBSUB', 'CHANNELS', pattern)).filter(redis.channels.has);
    const some = all.slice(0, limit);
    const numbers = some.length === 0 ? [] : listIn(await send('PUBSUB', 'NUMSUB', ...some));
    const channels = some.map((channel, at) => ({
      channel: viewedName(channel),
      subscribers: numberIn(numbers[at * 2 + 1] ?? '0'),
    }));
    const shown = channels.slice(0, channels.length === 0 ? 0 : fittingItems(channels));
    return { channels: shown, ...(shown.length < all.length && { left_out: all.length - shown.length }) };
  },
});
