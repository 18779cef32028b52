import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { listNodes, type Node } from '../api/broker.ts';
import { known } from '../api/lenient.ts';
import { rabbitmqTool } from '../tool.ts';

const bytes = z.number().optional();
const used = z.object({ used: z.int().optional(), total: z.int().optional() });

const output = z.object({
  name: z.string(),
  running: z.boolean(),
  up_seconds: z.int().optional(),
  memory: z.object({ used: bytes, limit: bytes }).describe('Bytes; at the limit publishers are blocked'),
  disk: z.object({ free: bytes, limit: bytes }).describe('Bytes; below the limit publishers are blocked'),
  alarms: z.array(z.enum(['memory', 'disk'])),
  files: used.describe('File descriptors'),
  sockets: used,
  processes: used,
  partitioned_from: z.array(z.string()).optional(),
  draining: z.boolean().optional(),
});

export const listNodesTool = rabbitmqTool({
  name: 'rabbitmq_list_nodes',
  title: 'List nodes',
  description:
    'Lists the nodes of the cluster: memory, disk, alarms, file descriptors, partitions. Needs the tag monitoring.',
  phrases: 'rabbitmq nodes; memory of rabbitmq; disk space of the broker; cluster nodes; is a node down; alarms',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({ nodes: z.array(output), total: z.int() }),
  async run(_, rabbit, { signal }) {
    const nodes = (await listNodes(rabbit, signal)).map(shownNode);
    return { nodes: nodes.slice(0, fittingItems(nodes)), total: nodes.length };
  },
});

const shownNode = (node: Node): z.input<typeof output> => ({
  name: node.name,
  running: node.running !== false,
  ...known({ up_seconds: node.uptime ? Math.round(node.uptime / 1000) : undefined }),
  memory: known({ used: node.mem_used, limit: node.mem_limit }),
  disk: known({ free: node.disk_free, limit: node.disk_free_limit }),
  alarms: [...(node.mem_alarm ? (['memory'] as const) : []), ...(node.disk_free_alarm ? (['disk'] as const) : [])],
  files: known({ used: node.fd_used, total: node.fd_total }),
  sockets: known({ used: node.sockets_used, total: node.sockets_total }),
  processes: known({ used: node.proc_used, total: node.proc_total }),
  ...(node.partitions.length > 0 && { partitioned_from: node.partitions }),
  ...(node.being_drained && { draining: true }),
});
