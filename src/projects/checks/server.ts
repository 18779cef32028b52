import { z } from 'zod';
import { counted } from '../../kernel/some-of.ts';
import type { State } from '../status/seen.ts';
import { defaultCheck } from './default-check.ts';

const meaning: ReadonlyMap<string, State> = new Map([
  ['RUNNING', 'ok'],
  ['STARTING', 'warning'],
  ['STOPPED', 'warning'],
  ['DEGRADED', 'warning'],
  ['FAILED', 'failing'],
]);

/** An MCP server behind the gateway. */
export const serverCheck = defaultCheck({
  kind: 'server',
  absent: () => ({ seen: 'gateway_status does not exist' }),
  tool: () => 'gateway_status',
  arguments: ({ name }) => ({ server: name }),
  answer: z.object({
    backends: z.tuple([
      z.object({
        name: z.string(),
        state: z.string(),
        tools: z.int(),
        lastError: z.object({ message: z.string() }).optional(),
      }),
    ]),
  }),
  read({ backends: [{ name, state: said, tools, lastError }] }) {
    const state = meaning.get(said) ?? 'unknown';
    const about = `${said.toLowerCase()}, ${counted(tools, 'tool')}`;
    if (state === 'ok') return { state, seen: about };
    return {
      state,
      seen: lastError ? `${said.toLowerCase()}: ${lastError.message}` : about,
      ...(said !== 'STARTING' && { next: `gateway_restart_server restarts it: name ${name}.` }),
    };
  },
});
