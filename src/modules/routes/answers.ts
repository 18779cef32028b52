import { z } from 'zod';

export const moduleAnswer = z.object({
  name: z.string(),
  type: z.string().describe('Which module it is'),
  description: z.string().optional(),
  state: z
    .enum(['ready', 'starting', 'degraded', 'failing', 'off', 'not configured'])
    .describe('failing: it cannot be reached, or refuses Sluice'),
  server: z.literal(true).optional().describe('An MCP server of somebody else, which the gateway runs'),
  mode: z.enum(['read-only', 'read-write']).optional(),
  where: z.string().optional(),
  since: z.string().optional().describe('When this state began'),
  service: z.string().optional().describe('What the service said of itself when it was asked last'),
  problem: z.string().optional().describe('Why it does not work, and what to do'),
  tools: z.int().optional().describe('That you may see'),
  checks: z.boolean().optional().describe('Whether you may ask the service how it is'),
  try: z.string().optional().describe('A tool that reads and needs no arguments'),
  needs: z
    .object({
      lines: z.string().describe('For sluice.yaml'),
      variables: z.array(z.string()).describe('That fill in what the lines leave out'),
    })
    .optional()
    .describe('How to configure it'),
});

export type ModuleAnswer = z.infer<typeof moduleAnswer>;

export const modulesAnswer = z.object({ modules: z.array(moduleAnswer) });
