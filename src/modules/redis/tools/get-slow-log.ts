import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Names } from '../names.ts';
import { bytesListIn, listIn, numberIn, type Reply, textIn } from '../replies.ts';
import { limitOf, redisTool } from '../tool.ts';
import { viewedItem } from '../view.ts';

const MOST_ARGUMENTS = 8;

export const getSlowLog = redisTool({
  name: 'redis_get_slow_log',
  title: 'Get the slow log',
  description:
    'Lists the slowest commands that the server remembers, newest first, with how long each took and who sent it.',
  phrases: 'slow redis commands; slow log; why is redis slow; which commands take long; find expensive redis queries',
  effect: 'read',
  input: z.strictObject({ limit: limitOf(20) }),
  output: z.object({
    entries: z.array(
      z.object({
        id: z.int(),
        at: z.string(),
        microseconds: z.int(),
        command: z.string(),
        arguments: z.array(z.string()).describe('Shortened; names that are out of reach are shown as …'),
        client: z.string().optional(),
      }),
    ),
    total: z.int().describe('How many the server remembers'),
  }),
  async run({ limit }, redis, { signal }) {
    const send = redis.during(signal);
    const [log, total] = await Promise.all([send('SLOWLOG', 'GET', limit), send('SLOWLOG', 'LEN')]);
    const entries = listIn(log).map((entry) => entryIn(listIn(entry), redis.keys));
    return { entries: entries.slice(0, entries.length === 0 ? 0 : fittingItems(entries)), total: numberIn(total) };
  },
});

function entryIn([id = '0', time = '0', took = '0', words = [], client = '']: readonly Reply[], keys: Names) {
  const [command, ...args] = bytesListIn(words);
  const address = textIn(client);
  return {
    id: numberIn(id),
    at: new Date(numberIn(time) * 1000).toISOString(),
    microseconds: numberIn(took),
    command: (command?.toString() ?? '').slice(0, 50),
    arguments: argumentsInReach(args, keys),
    ...(address !== '' && { client: address }),
  };
}

/** A command may carry the names and values of keys that are out of reach. */
export function argumentsInReach(args: readonly Buffer[], keys: Names): string[] {
  const hasForeign = !args.every(keys.has);
  const mayShow = (arg: Buffer) => keys.has(arg) && (keys.isRestricted || !hasForeign);
  const shown = args.slice(0, MOST_ARGUMENTS).map((arg) => (mayShow(arg) ? viewedItem(arg, 200).value : '…'));
  return args.length > MOST_ARGUMENTS ? [...shown, `(${args.length - MOST_ARGUMENTS} more)`] : shown;
}
