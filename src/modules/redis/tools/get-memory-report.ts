import { z } from 'zod';
import { infoMap } from '../info.ts';
import { textIn } from '../replies.ts';
import { redisTool } from '../tool.ts';

export const getMemoryReport = redisTool({
  name: 'redis_get_memory_report',
  title: 'Report memory',
  description:
    "Shows how much memory the server uses, its limit and what it does when it is full, fragmentation, evictions, and Redis's own advice.",
  phrases:
    'how much memory does redis use; is redis running out of memory; eviction policy; memory fragmentation; memory doctor; maxmemory',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    used_bytes: z.int(),
    peak_bytes: z.int(),
    dataset_bytes: z.int(),
    resident_bytes: z.int(),
    limit_bytes: z.int().describe('0 means no limit'),
    used_share: z.number().optional().describe('Of the limit, 0 to 1'),
    policy: z.string().describe('What happens at the limit'),
    fragmentation: z.number(),
    evicted_keys: z.int(),
    expired_keys: z.int(),
    advice: z.string().optional(),
  }),
  async run(_, redis, { signal }) {
    const send = redis.during(signal);
    const [memory, stats, advice] = await Promise.all([
      infoMap(send, 'memory'),
      infoMap(send, 'stats'),
      // Managed servers and users with few rights may not have it.
      send('MEMORY', 'DOCTOR').then(textIn, () => undefined),
    ]);
    const number = (from: ReadonlyMap<string, string>, name: string) => Number(from.get(name) ?? 0) || 0;
    const [used, limit] = [number(memory, 'used_memory'), number(memory, 'maxmemory')];
    return {
      used_bytes: used,
      peak_bytes: number(memory, 'used_memory_peak'),
      dataset_bytes: number(memory, 'used_memory_dataset'),
      resident_bytes: number(memory, 'used_memory_rss'),
      limit_bytes: limit,
      ...(limit > 0 && { used_share: Math.round((used / limit) * 1000) / 1000 }),
      policy: memory.get('maxmemory_policy') ?? 'unknown',
      fragmentation: number(memory, 'mem_fragmentation_ratio'),
      evicted_keys: number(stats, 'evicted_keys'),
      expired_keys: number(stats, 'expired_keys'),
      ...(advice !== undefined && { advice: advice.trim().slice(0, 1500) }),
    };
  },
});
