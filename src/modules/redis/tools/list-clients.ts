import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { textIn } from '../replies.ts';
import { limitOf, redisTool } from '../tool.ts';

export const listClients = redisTool({
  name: 'redis_list_clients',
  title: 'List clients',
  description:
    'Lists the connections to the server: address, name, user, age, idle time, last command and memory. The longest idle come last.',
  phrases:
    'who is connected to redis; list redis clients; connections to redis; which client uses the most memory; idle connections; client list',
  effect: 'read',
  input: z.strictObject({
    contains: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only clients whose address, name, user or command has this text'),
    start: z.int().min(0).default(0).describe('How many to skip'),
    limit: limitOf(50),
  }),
  output: z.object({
    total: z.int().describe('How many match'),
    clients: z.array(
      z.object({
        id: z.string(),
        address: z.string(),
        name: z.string().optional(),
        user: z.string().optional(),
        database: z.int(),
        age_seconds: z.int(),
        idle_seconds: z.int(),
        command: z.string().describe('The last one'),
        memory_bytes: z.int().optional(),
        blocked: z.boolean().optional().describe('Whether it waits for something'),
      }),
    ),
    next_start: z.int().optional().describe('For the next page'),
  }),
  async run({ contains = '', start, limit }, redis, { signal }) {
    const wanted = contains.toLowerCase();
    const all = clientsIn(textIn(await redis.during(signal)('CLIENT', 'LIST')))
      .filter(({ address, name = '', user = '', command }) =>
        [address, name, user, command].some((text) => text.toLowerCase().includes(wanted)),
      )
      .sort((one, other) => one.idle_seconds - other.idle_seconds);
    const page = all.slice(start, start + limit);
    const clients = page.slice(0, page.length === 0 ? 0 : fittingItems(page));
    const next = start + clients.length;
    return { total: all.length, clients, ...(clients.length > 0 && next < all.length && { next_start: next }) };
  },
});

export function clientsIn(text: string) {
  return text.split('\n').flatMap((line) => {
    if (!line.includes('=')) return [];
    const fields = new Map(
      line.split(' ').map((pair): [string, string] => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
    );
    const number = (name: string) => Number(fields.get(name) ?? 0) || 0;
    const [name, user] = [fields.get('name'), fields.get('user')];
    return [
      {
        id: fields.get('id') ?? '',
        address: fields.get('addr') ?? '',
        ...(name && { name: name.slice(0, 100) }),
        ...(user && { user: user.slice(0, 100) }),
        database: number('db'),
        age_seconds: number('age'),
        idle_seconds: number('idle'),
        command: fields.get('cmd') ?? '',
        ...(fields.has('tot-mem') && { memory_bytes: number('tot-mem') }),
        ...(fields.get('flags')?.includes('b') && { blocked: true }),
      },
    ];
  });
}
