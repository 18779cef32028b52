import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { infoOf } from '../info.ts';
import { redisTool } from '../tool.ts';

const sections = [
  'server',
  'clients',
  'memory',
  'persistence',
  'stats',
  'replication',
  'cpu',
  'commandstats',
  'errorstats',
  'latencystats',
  'modules',
  'cluster',
  'keyspace',
] as const;

export const getServerInfo = redisTool({
  name: 'redis_get_server_info',
  title: 'Get server information',
  description:
    'Shows what the server says about itself, a section at a time: version, uptime, hits and misses, replication, persistence, commands.',
  phrases:
    'redis version; redis info; cache hit rate; is replication healthy; uptime of redis; which commands are used the most; last backup of redis',
  effect: 'read',
  input: z.strictObject({
    section: z.enum(sections).default('server').describe('Which part'),
    contains: z.string().min(1).max(100).optional().describe('Only entries whose name has this text'),
  }),
  output: z.object({
    section: z.string(),
    entries: z.array(z.object({ name: z.string(), value: z.string() })),
    left_out: z.int().optional().describe('How many did not fit into the reply: use contains'),
  }),
  async run({ section, contains = '' }, redis, { signal }) {
    const facts = await infoOf(redis.during(signal), section);
    const wanted = contains.toLowerCase();
    const entries = facts
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map(({ name, value }) => ({ name: name.slice(0, 200), value: value.slice(0, 500) }));
    const shown = entries.slice(0, entries.length === 0 ? 0 : fittingItems(entries));
    return {
      section,
      entries: shown,
      ...(shown.length < entries.length && { left_out: entries.length - shown.length }),
    };
  },
});
