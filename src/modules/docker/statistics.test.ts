import { expect, test } from 'vitest';
import { statistics } from './shapes.ts';
import { usageOf } from './statistics.ts';

/** As Docker 27 answers on a host with cgroups 2. */
const docker = statistics.parse({
  read: '2026-01-01T00:00:01Z',
  pids_stats: { current: 5 },
  cpu_stats: { cpu_usage: { total_usage: 3_000_000 }, system_cpu_usage: 20_000_000, online_cpus: 4 },
  precpu_stats: { cpu_usage: { total_usage: 1_000_000 }, system_cpu_usage: 12_000_000, online_cpus: 4 },
  memory_stats: { usage: 1000, limit: 4000, stats: { inactive_file: 200, file: 500 } },
  blkio_stats: {
    io_service_bytes_recursive: [
      { major: 8, minor: 0, op: 'read', value: 10 },
      { major: 8, minor: 16, op: 'Read', value: 5 },
      { major: 8, minor: 0, op: 'write', value: 7 },
    ],
  },
  networks: { eth0: { rx_bytes: 1, tx_bytes: 2 }, eth1: { rx_bytes: 10, tx_bytes: 20 } },
});

test('is what docker stats shows', () => {
  expect(usageOf(docker)).toEqual({
    cpu_percent: 100,
    memory_bytes: 800,
    memory_limit_bytes: 4000,
    memory_percent: 20,
    network_received_bytes: 11,
    network_sent_bytes: 22,
    disk_read_bytes: 15,
    disk_written_bytes: 7,
    processes: 5,
  });
});

test('with cgroups 1 the cache has another name', () => {
  const old = {
    ...docker,
    memory_stats: { usage: 1000, limit: 4000, stats: { total_inactive_file: 300, inactive_file: 1 } },
  };
  expect(usageOf(old).memory_bytes).toBe(700);
});

test('one reading without a second has no share of the processors', () => {
  const { cpu_percent } = usageOf({ ...docker, precpu_stats: undefined });
  expect(cpu_percent).toBeUndefined();
});

test('an earlier reading stands in for the one that Podman does not send', () => {
  const before = { ...docker, cpu_stats: docker.precpu_stats };
  expect(usageOf({ ...docker, precpu_stats: undefined }, before).cpu_percent).toBe(100);
});

test('a container that has just ended answers with nothing', () => {
  expect(usageOf(statistics.parse({ read: '0001-01-01T00:00:00Z', cpu_stats: {}, memory_stats: {} }))).toEqual({
    memory_bytes: 0,
    network_received_bytes: 0,
    network_sent_bytes: 0,
    disk_read_bytes: 0,
    disk_written_bytes: 0,
  });
});
