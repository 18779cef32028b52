import type { Statistics } from './shapes.ts';

export interface Usage {
  readonly cpu_percent?: number;
  readonly memory_bytes: number;
  readonly memory_limit_bytes?: number;
  readonly memory_percent?: number;
  readonly network_received_bytes: number;
  readonly network_sent_bytes: number;
  readonly disk_read_bytes: number;
  readonly disk_written_bytes: number;
  readonly processes?: number;
}

/** What `docker stats` shows. `before` is an earlier reading, for engines that do not send one along. */
export function usageOf(now: Statistics, before?: Statistics): Usage {
  const cpu = cpuPercent(now.cpu_stats, hasReading(now.precpu_stats) ? now.precpu_stats : before?.cpu_stats);
  const { usage = 0, limit = 0 } = now.memory_stats ?? {};
  const memory = Math.max(0, usage - cacheIn(now));
  const networks = Object.values(now.networks ?? {});
  const disk = now.blkio_stats?.io_service_bytes_recursive ?? [];
  const moved = (op: string) => sum(disk.filter((one) => one.op.toLowerCase() === op).map(({ value }) => value));
  return {
    ...(cpu !== undefined && { cpu_percent: rounded(cpu) }),
    memory_bytes: memory,
    ...(limit > 0 && { memory_limit_bytes: limit, memory_percent: rounded((memory / limit) * 100) }),
    network_received_bytes: sum(networks.map(({ rx_bytes }) => rx_bytes)),
    network_sent_bytes: sum(networks.map(({ tx_bytes }) => tx_bytes)),
    disk_read_bytes: moved('read'),
    disk_written_bytes: moved('write'),
    ...(now.pids_stats && { processes: now.pids_stats.current }),
  };
}

type Cpu = Statistics['cpu_stats'];

export const hasReading = (cpu: Cpu): boolean => (cpu?.system_cpu_usage ?? 0) > 0;

/** The container's share of the time of all processors between two readings; 200 is two of them. */
function cpuPercent(now: Cpu, before: Cpu): number | undefined {
  if (!now || !before || !hasReading(before)) return undefined;
  const used = (now.cpu_usage?.total_usage ?? 0) - (before.cpu_usage?.total_usage ?? 0);
  const passed = now.system_cpu_usage - before.system_cpu_usage;
  if (passed <= 0 || used < 0) return undefined;
  const processors = now.online_cpus || now.cpu_usage?.percpu_usage?.length || 1;
  return (used / passed) * processors * 100;
}

/** Pages that the kernel can drop do not count: `total_inactive_file` with cgroups 1, `inactive_file` with 2. */
function cacheIn({ memory_stats }: Statistics): number {
  const { usage = 0, stats } = memory_stats ?? {};
  const known = new Map(Object.entries(stats ?? {}));
  const cache = known.get('total_inactive_file') ?? known.get('inactive_file') ?? 0;
  return cache < usage ? cache : 0;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const rounded = (number: number): number => Math.round(number * 100) / 100;
