import { z } from 'zod';
import { backendStatus } from '../status/status.ts';

const server = backendStatus.omit({ held: true, login: true, leftOut: true }).extend({
  state: z
    .enum(['STOPPED', 'STARTING', 'RUNNING', 'DEGRADED', 'FAILED', 'OFF'])
    .describe('OFF: its entry says that it is not enabled'),
  since: z.string().optional().describe('Since when it is in this state'),
  origin: z
    .enum(['file', 'preset', 'added', 'part'])
    .describe('Where it is from: mcpServers in the file, a preset, gateway_add_server, or a part such as the bridge'),
  description: z.string().optional(),
  held: z.number().optional().describe('How many tools are held back because their definition changed'),
  needsLogin: z.boolean().optional().describe('It waits until somebody signs in'),
});

const allowed = z
  .object({ may: z.boolean(), why: z.string().optional().describe('Why not') })
  .describe('Whether this caller may do it');

export const serverList = z.object({
  servers: z.array(server),
  add: allowed.extend({ commands: allowed.describe('Whether it may be a program that Sluice starts') }),
});

const definition = z.record(z.string(), z.unknown());

export const serverDetail = server.extend({
  runs: z.string().describe('Where it is, in words and without secrets'),
  prefix: z.string().describe('What the names of its tools begin with'),
  protocol: z.string().optional(),
  leftOut: z.array(z.string()).optional().describe('What it offers but Sluice cannot use, and why'),
  login: z.string().optional().describe('A page where this caller can sign in; it works once, for 15 minutes'),
  latestMs: z.array(z.number()).optional().describe('How long its last calls took, oldest first'),
  stderr: z
    .object({ lines: z.array(z.string()), why: z.string().optional().describe('Why there are none') })
    .describe('The end of what its program wrote to stderr, without known secrets'),
  changed: z
    .array(
      z.object({
        tool: z.string(),
        since: z.string().optional(),
        accepted: definition.optional().describe('The definition that was accepted; absent if it is not known'),
        offered: definition.optional().describe('The definition that it has now'),
        large: z.boolean().optional().describe('The definitions are too long to be shown'),
      }),
    )
    .describe('Tools that are held back until their new definition is accepted'),
  errors: z
    .array(
      z.object({
        at: z.string(),
        type: z.string().describe('The type of the event'),
        tool: z.string().optional(),
        reason: z.string().optional(),
        trace: z.string(),
      }),
    )
    .describe('What failed last, newest first'),
  restart: allowed,
  remove: allowed,
  accept: allowed,
});

export type Server = z.infer<typeof server>;
export type Allowed = z.infer<typeof allowed>;
export type ServerList = z.infer<typeof serverList>;
export type ServerDetail = z.infer<typeof serverDetail>;
