import { z } from 'zod';
import { diskIn } from '../disk.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { diskUsage } from '../shapes.ts';
import { dockerTool } from '../tool.ts';

export const getDiskUsage = dockerTool({
  name: 'docker_get_disk_usage',
  title: 'Disk use of Docker',
  description:
    'Measures the disk space of images, containers, volumes and build cache, what could be freed, and the largest volumes. Docker may take many seconds for it.',
  phrases: 'docker system df; how much disk does docker use; disk is full; what can be cleaned up; largest volumes',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    disk: z.array(z.object({ kind: z.string(), count: z.int(), bytes: z.number(), reclaimable_bytes: z.number() })),
    largest_volumes: z.array(z.object({ name: z.string(), bytes: z.number(), in_use: z.boolean() })),
  }),
  async run(_, docker, { signal }) {
    const usage = await docker.ask(diskUsage, '/system/df', { signal });
    const disk = diskIn(usage);
    const volumes = usage.Volumes.filter(({ Name }) => docker.reach.volumes.has(Name))
      .map(({ Name, UsageData }) => ({
        name: Name,
        bytes: Math.max(0, UsageData?.Size ?? 0),
        in_use: (UsageData?.RefCount ?? 0) > 0,
      }))
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, 20);
    return { disk, largest_volumes: volumes.slice(0, volumes.length === 0 ? 0 : fittingItems(volumes, disk)) };
  },
});
