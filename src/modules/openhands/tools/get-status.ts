import { z } from 'zod';
import { busyConversations, isAllowed } from '../conversations.ts';
import { readStatus } from '../status.ts';
import { openhandsTool } from '../tool.ts';

export const getStatusTool = openhandsTool({
  name: 'openhands_get_status',
  title: 'Show the status',
  description: 'Shows the server: how many conversations there are, which work now, and how many may.',
  phrases: 'status of openhands; is openhands running; how many agents are working; can I start another conversation',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    server: z.string(),
    mode: z.string().optional().describe('oss, or saas for the cloud'),
    conversations: z.int(),
    working: z.int(),
    most: z.int().describe('That may work at the same time'),
    ids: z.array(z.string()).describe('Of those that work'),
  }),
  async run(_, openhands, { signal }) {
    const [{ mode, count }, busy] = await Promise.all([
      readStatus(openhands, signal),
      busyConversations(openhands, signal),
    ]);
    return {
      server: openhands.at,
      ...(mode !== undefined && { mode }),
      conversations: count,
      working: busy.length,
      most: openhands.concurrency,
      ids: busy
        .filter((one) => isAllowed(openhands, one))
        .slice(0, 20)
        .map(({ id }) => id),
    };
  },
});
