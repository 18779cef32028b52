import type { z } from 'zod';
import type { diskUsage } from './shapes.ts';

export interface Disk {
  readonly kind: 'images' | 'containers' | 'volumes' | 'build cache';
  readonly count: number;
  readonly bytes: number;
  /** What a prune would free, at most. */
  readonly reclaimable_bytes: number;
}

/** What `docker system df` shows. */
export function diskIn(usage: z.output<typeof diskUsage>): Disk[] {
  const { Images, Containers, Volumes, BuildCache, LayersSize } = usage;
  const images = LayersSize > 0 ? LayersSize : sum(Images.map(({ Size }) => Size));
  // What an unused image shares with others stays.
  const unusedImages = sum(
    Images.filter((one) => one.Containers <= 0).map(({ Size, SharedSize }) => Size - Math.max(0, SharedSize)),
  );
  const size = ({ UsageData }: (typeof Volumes)[number]) => Math.max(0, UsageData?.Size ?? 0);
  return [
    {
      kind: 'images',
      count: Images.length,
      bytes: images,
      reclaimable_bytes: Math.min(images, Math.max(0, unusedImages)),
    },
    {
      kind: 'containers',
      count: Containers.length,
      bytes: sum(Containers.map(({ SizeRw }) => SizeRw)),
      reclaimable_bytes: sum(Containers.filter((one) => !isRunning(one)).map(({ SizeRw }) => SizeRw)),
    },
    {
      kind: 'volumes',
      count: Volumes.length,
      bytes: sum(Volumes.map(size)),
      reclaimable_bytes: sum(Volumes.filter(({ UsageData }) => (UsageData?.RefCount ?? 1) === 0).map(size)),
    },
    {
      kind: 'build cache',
      count: BuildCache.length,
      bytes: sum(BuildCache.filter(({ Shared }) => !Shared).map(({ Size }) => Size)),
      reclaimable_bytes: sum(BuildCache.filter(({ Shared, InUse }) => !Shared && !InUse).map(({ Size }) => Size)),
    },
  ];
}

const isRunning = ({ State }: { State: string }) => /^(?:running|paused|restarting)$/i.test(State);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
