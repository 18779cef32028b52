import { z } from 'zod';
import { keyspaces } from '../info.ts';
import { numberIn } from '../replies.ts';
import { redisTool } from '../tool.ts';

export const getDatabaseSize = redisTool({
  name: 'redis_get_database_size',
  title: 'Get the database size',
  description:
    'Says how many keys the database has, and how many each database of the server has. redis_count_keys counts by pattern.',
  phrases: 'how many keys are in redis; dbsize; number of keys; which databases are used; size of the redis database',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    keys: z.int().describe('In the database of this connection'),
    databases: z.array(z.object({ database: z.int(), keys: z.int(), expiring: z.int().describe('Keys with a TTL') })),
  }),
  async run(_, redis, { signal }) {
    const send = redis.during(signal);
    const [keys, databases] = await Promise.all([send('DBSIZE'), keyspaces(send)]);
    return { keys: numberIn(keys), databases: databases.slice(0, 50) };
  },
});
