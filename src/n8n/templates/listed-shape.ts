import { z } from 'zod';

/** A template in an answer. */
export const listedShape = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  nodes: z.array(z.string()).describe('Short names'),
  more_nodes: z.number().optional(),
  library: z.string(),
  views: z.number().optional(),
  created: z.string().optional(),
  paid: z.boolean().optional().describe('Has to be bought at n8n.io'),
  fits: z.boolean().optional().describe('This n8n has all its nodes'),
  missing_nodes: z.array(z.string()).optional().describe('Nodes and versions that this n8n lacks'),
});
