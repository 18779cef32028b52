import { z } from 'zod';
import { numberIn } from '../replies.ts';
import { nameInput, redisTool, valueInput } from '../tool.ts';

export const publishMessage = redisTool({
  name: 'redis_publish_message',
  title: 'Publish a message',
  description: 'Publishes a message to a channel, and says how many subscribers of this server received it.',
  phrases: 'publish to a channel; send a pub/sub message; notify subscribers; broadcast a message over redis',
  effect: 'execute',
  input: z.strictObject({
    channel: nameInput.min(1).describe('Its name'),
    message: valueInput.describe('Text to send'),
  }),
  output: z.object({ channel: z.string(), receivers: z.int() }),
  async run({ channel, message }, redis, { signal }) {
    const name = redis.channels.need(channel);
    return { channel, receivers: numberIn(await redis.during(signal)('PUBLISH', name, message)) };
  },
});
