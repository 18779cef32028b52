import { z } from 'zod';
import { counted } from '../../kernel/some-of.ts';
import { defaultCheck, moduleAbsent, toolOf } from './default-check.ts';

const BROKEN = new Set(['crashed', 'down', 'stopped', 'minority']);

export const queueCheck = defaultCheck({
  kind: 'queue',
  absent: moduleAbsent('rabbitmq', 'queues'),
  tool: (item) => toolOf(item, 'rabbitmq', 'get_queue'),
  arguments: ({ name }) => ({ queue: name }),
  answer: z.object({
    state: z.string().optional(),
    messages: z.int().optional(),
    consumers: z.int(),
    offline: z.array(z.string()).optional(),
  }),
  read({ state, messages = 0, consumers, offline = [] }, item) {
    const seen = `${counted(messages, 'message')}, ${counted(consumers, 'consumer')}`;
    if (state !== undefined && BROKEN.has(state))
      return {
        state: 'failing',
        seen: `${state}, ${seen}`,
        next: `${toolOf(item, 'rabbitmq', 'check_health')} shows more.`,
      };
    if (offline.length > 0)
      return {
        state: 'warning',
        seen: `${seen}, ${counted(offline.length, 'member')} offline`,
        next: `${toolOf(item, 'rabbitmq', 'list_nodes')} shows the nodes.`,
      };
    if (messages > 0 && consumers === 0)
      return { state: 'warning', seen, next: 'Nobody consumes it: start a consumer.' };
    return { state: 'ok', seen };
  },
});
