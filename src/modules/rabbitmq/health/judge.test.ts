import { expect, test } from 'vitest';
import type { Node } from '../api/broker.ts';
import type { Queue } from '../api/queues.ts';
import { judgeChecks, judgeListeners, judgeNodes, judgeQueues, sorted, worst } from './judge.ts';

const node = (more: Partial<Node> = {}): Node => ({
  name: 'rabbit@one',
  running: true,
  mem_used: 100e6,
  mem_limit: 1000e6,
  disk_free: 50e9,
  disk_free_limit: 50e6,
  fd_used: 10,
  fd_total: 1000,
  partitions: [],
  ...more,
});

const queue = (more: Partial<Queue> = {}): Queue => ({
  name: 'orders',
  vhost: '/',
  state: 'running',
  messages_ready: 0,
  messages_unacknowledged: 0,
  consumers: 1,
  ...more,
});

test('a broker without trouble has no findings', () => {
  expect(judgeNodes([node()])).toEqual([]);
  expect(judgeQueues([queue()], '/')).toEqual([]);
  expect(judgeListeners({ listeners: [{ protocol: 'amqp/ssl', port: 5671 }] })).toEqual([]);
  expect(worst([])).toBe('ok');
});

test.each([
  [{ running: false }, 'critical', /does not run/],
  [{ mem_alarm: true, mem_used: 1001e6 }, 'critical', /Memory alarm: 1001 MB of 1000 MB/],
  [{ mem_used: 900e6 }, 'warning', /900 MB of 1000 MB memory/],
  [{ disk_free_alarm: true, disk_free: 40e6 }, 'critical', /Disk alarm: 40 MB/],
  [{ disk_free: 90e6 }, 'warning', /90 MB of disk are free/],
  [{ fd_used: 900 }, 'warning', /900 of 1000 file descriptors/],
  [{ partitions: ['rabbit@two'] }, 'critical', /partition separates it from rabbit@two/],
  [{ being_drained: true }, 'info', /maintenance/],
] as const)('a node with %o', (more, severity, problem) => {
  expect(judgeNodes([node(more as Partial<Node>)])).toEqual([
    expect.objectContaining({ severity, where: 'node rabbit@one', problem: expect.stringMatching(problem) }),
  ]);
});

test.each([
  [{ consumers: 0, messages_ready: 5, messages_details: { rate: 2.5 } }, 'warning', /grows by 2\.5 messages a second/],
  [{ consumers: 0, messages_ready: 5 }, 'info', /5 messages wait, and nobody/],
  [{ consumers: 0, messages_ready: 20_000 }, 'warning', /20000 messages wait, and nobody/],
  [{ consumers: 2, messages_ready: 20_000 }, 'warning', /20000 messages wait for 2 consumers/],
  [{ messages_unacknowledged: 5000 }, 'warning', /5000 messages are delivered and not acknowledged/],
  [{ state: 'down' }, 'critical', /It is down/],
  [{ type: 'stream', state: 'minority', consumers: 0, messages_ready: 1e6 }, 'critical', /It is minority/],
] as const)('a queue with %o', (more, severity, problem) => {
  expect(judgeQueues([queue({ ...more, vhost: 'shop' })], '/')).toEqual([
    expect.objectContaining({ severity, where: 'queue orders in shop', problem: expect.stringMatching(problem) }),
  ]);
});

test('an alarm is said once, by the node where it is known', () => {
  const failed = [{ check: 'alarms', reason: 'There are alarms' } as const];
  expect(judgeChecks(failed, [node({ mem_alarm: true })])).toEqual([]);
  expect(judgeChecks(failed, undefined)[0]?.problem).toContain('publishers are blocked');
  expect(judgeChecks([{ check: 'quorum', reason: 'one' }], [])[0]?.action).toContain('Stop no node');
  expect(judgeChecks([{ check: 'vhosts', reason: 'one' }], [])[0]?.action).toContain('restart_vhost');
});

test('nothing that listens for AMQP is critical', () => {
  expect(judgeListeners({ listeners: [{ protocol: 'http', port: 15_672 }] })[0]?.severity).toBe('critical');
  expect(judgeListeners({})).toEqual([]);
});

test('the worst comes first', () => {
  const findings = [
    ...judgeQueues([queue({ consumers: 0, messages_ready: 1 })], '/'),
    ...judgeNodes([node({ mem_used: 900e6 }), node({ running: false })]),
  ];
  expect(sorted(findings).map(({ severity }) => severity)).toEqual(['critical', 'warning', 'info']);
  expect(worst(findings)).toBe('critical');
});
