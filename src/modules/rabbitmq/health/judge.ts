import type { Node, Overview } from '../api/broker.ts';
import { rateIn } from '../api/lenient.ts';
import type { Queue } from '../api/queues.ts';

export type Severity = 'critical' | 'warning' | 'info';

export interface Finding {
  readonly severity: Severity;
  /** What it is about: a node, a queue. */
  readonly where: string;
  readonly problem: string;
  /** What to do. */
  readonly action: string;
}

/** A check of the broker's own: undefined if it passed. */
export interface Failed {
  readonly check: 'alarms' | 'quorum' | 'vhosts';
  readonly reason: string;
}

const HIGH = 0.8;
const PILE = 10_000;
const UNACKED = 1000;

export const worst = (findings: readonly Finding[]): Severity | 'ok' =>
  (['critical', 'warning', 'info'] as const).find((one) => findings.some(({ severity }) => severity === one)) ?? 'ok';

const order: readonly Severity[] = ['critical', 'warning', 'info'];

export const sorted = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));

export function judgeChecks(failed: readonly Failed[], nodes: readonly Node[] | undefined): Finding[] {
  return failed.flatMap(({ check, reason }): Finding[] => {
    const about = { severity: 'critical', where: 'cluster' } as const;
    if (check === 'quorum')
      return [
        {
          ...about,
          problem: `Quorum queues or streams would lose their majority if this node stopped: ${reason}`,
          action: 'Stop no node. Start the ones that are down, or add members to these queues.',
        },
      ];
    if (check === 'vhosts')
      return [{ ...about, problem: `A vhost does not run: ${reason}`, action: 'Run rabbitmqctl restart_vhost.' }];
    // The nodes say it better.
    if (nodes?.some((node) => node.mem_alarm || node.disk_free_alarm)) return [];
    return [
      {
        ...about,
        problem: `A resource alarm is in effect, and publishers are blocked: ${reason}`,
        action: 'Free memory or disk on the node: rabbitmq_list_nodes shows which.',
      },
    ];
  });
}

export const judgeNodes = (nodes: readonly Node[]): Finding[] => nodes.flatMap(judgeNode);

function judgeNode(node: Node): Finding[] {
  const at = (severity: Severity, problem: string, action: string): Finding => ({
    severity,
    where: `node ${node.name}`,
    problem,
    action,
  });
  if (node.running === false) return [at('critical', 'The node does not run.', 'Start it, and look into its log.')];
  const found: Finding[] = [];
  const { mem_used: memory, mem_limit: memoryLimit, disk_free: disk, disk_free_limit: diskLimit } = node;
  if (node.mem_alarm)
    found.push(
      at(
        'critical',
        `Memory alarm: ${mega(memory)} of ${mega(memoryLimit)} are used, and all publishers are blocked.`,
        'Let consumers catch up or purge what is not needed; then add memory or raise vm_memory_high_watermark.',
      ),
    );
  else if (memory && memoryLimit && memory > memoryLimit * HIGH)
    found.push(
      at(
        'warning',
        `${mega(memory)} of ${mega(memoryLimit)} memory are used. At the limit, publishers are blocked.`,
        'Look for long queues (rabbitmq_list_queues, sort messages) and many connections.',
      ),
    );
  if (node.disk_free_alarm)
    found.push(
      at(
        'critical',
        `Disk alarm: ${mega(disk)} are free, less than ${mega(diskLimit)}, and all publishers are blocked.`,
        'Free space on the disk of the node.',
      ),
    );
  else if (disk && diskLimit && disk < diskLimit * 2)
    found.push(
      at(
        'warning',
        `${mega(disk)} of disk are free. Below ${mega(diskLimit)}, publishers are blocked.`,
        'Free space, or enlarge the disk.',
      ),
    );
  for (const [what, used, total] of [
    ['file descriptors', node.fd_used, node.fd_total],
    ['sockets', node.sockets_used, node.sockets_total],
    ['Erlang processes', node.proc_used, node.proc_total],
  ] as const)
    if (used && total && used > total * HIGH)
      found.push(
        at(
          'warning',
          `${used} of ${total} ${what} are used.`,
          'Raise the limit of the service, or look for leaks with rabbitmq_list_connections.',
        ),
      );
  if (node.partitions.length > 0)
    found.push(
      at(
        'critical',
        `A network partition separates it from ${node.partitions.slice(0, 5).join(', ')}.`,
        'Restart the nodes of the side that you trust less.',
      ),
    );
  if (node.being_drained) found.push(at('info', 'It is in maintenance mode.', 'End it with rabbitmq-upgrade revive.'));
  return found;
}

export function judgeListeners({ listeners }: Overview): Finding[] {
  if (!listeners || listeners.some(({ protocol }) => protocol.startsWith('amqp'))) return [];
  return [
    {
      severity: 'critical',
      where: 'broker',
      problem: 'Nothing listens for AMQP, so that no program can connect.',
      action: 'Check the listeners in rabbitmq.conf, and whether the node is in maintenance mode.',
    },
  ];
}

export const judgeQueues = (queues: readonly Queue[], defaultVhost: string): Finding[] =>
  queues.flatMap((queue) => judgeQueue(queue, defaultVhost));

const WELL = new Set(['running', 'live', 'idle', 'flow', 'syncing']);

function judgeQueue(queue: Queue, defaultVhost: string): Finding[] {
  const { name, vhost, state, consumers, type } = queue;
  const ready = queue.messages_ready ?? 0;
  const unacked = queue.messages_unacknowledged ?? 0;
  const growth = rateIn(queue.messages_details);
  const found: Finding[] = [];
  const at = (severity: Severity, problem: string, action: string) =>
    found.push({ severity, where: `queue ${name}${vhost === defaultVhost ? '' : ` in ${vhost}`}`, problem, action });
  if (state && !WELL.has(state))
    at('critical', `It is ${state}.`, 'Start the nodes that hold it; rabbitmq_get_queue shows which are down.');
  // Messages stay in a stream after they were read.
  if (type === 'stream') return found;
  if (consumers === 0 && growth > 0)
    at(
      'warning',
      `It grows by ${growth} messages a second, has ${ready} ready, and nobody consumes it.`,
      'Start its consumer, or unbind or delete the queue if nobody needs it.',
    );
  else if (ready >= PILE)
    at(
      'warning',
      consumers === 0
        ? `${ready} messages wait, and nobody consumes it.`
        : `${ready} messages wait for ${consumers ?? 'its'} consumers${growth > 0 ? `, ${growth} more each second` : ''}.`,
      consumers === 0 ? 'Start its consumer, or purge it.' : 'Add consumers, or look why they are slow.',
    );
  else if (consumers === 0 && ready > 0)
    at('info', `${ready} messages wait, and nobody consumes it.`, 'Fine for dead letters; otherwise start a consumer.');
  if (unacked >= UNACKED)
    at(
      'warning',
      `${unacked} messages are delivered and not acknowledged.`,
      'Its consumers are stuck or their prefetch is too high: rabbitmq_list_consumers; rabbitmq_close_connection gives messages back.',
    );
  return found;
}

const mega = (bytes: number | null | undefined): string =>
  typeof bytes !== 'number'
    ? '?'
    : bytes < 10_000_000_000
      ? `${Math.round(bytes / 1e6)} MB`
      : `${Math.round(bytes / 1e9)} GB`;
