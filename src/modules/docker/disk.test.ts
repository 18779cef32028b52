import { expect, test } from 'vitest';
import { diskIn } from './disk.ts';
import { diskUsage } from './shapes.ts';

test('is what docker system df shows', () => {
  const usage = diskUsage.parse({
    LayersSize: 100,
    Images: [
      { Id: 'a', RepoTags: ['a:1'], Size: 60, SharedSize: 20, Containers: 1 },
      { Id: 'b', RepoTags: null, Size: 60, SharedSize: 20, Containers: 0 },
    ],
    Containers: [
      { Id: '1', Names: ['/x'], SizeRw: 5, State: 'running' },
      { Id: '2', Names: ['/y'], SizeRw: 7, State: 'exited' },
      { Id: '3', Names: ['/z'], State: 'exited' },
    ],
    Volumes: [
      { Name: 'v', UsageData: { Size: 9, RefCount: 0 } },
      { Name: 'w', UsageData: { Size: 4, RefCount: 1 } },
      { Name: 'u', UsageData: { Size: -1, RefCount: -1 } },
    ],
    BuildCache: [
      { Size: 3, InUse: false, Shared: false },
      { Size: 3, InUse: false, Shared: true },
    ],
  });
  expect(diskIn(usage)).toEqual([
    { kind: 'images', count: 2, bytes: 100, reclaimable_bytes: 40 },
    { kind: 'containers', count: 3, bytes: 12, reclaimable_bytes: 7 },
    { kind: 'volumes', count: 3, bytes: 13, reclaimable_bytes: 9 },
    { kind: 'build cache', count: 2, bytes: 3, reclaimable_bytes: 3 },
  ]);
});

test('an engine that leaves everything out is measured, too', () => {
  expect(diskIn(diskUsage.parse({})).every(({ bytes }) => bytes === 0)).toBe(true);
});
