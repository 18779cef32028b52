import { toMilliseconds } from '../../host/config/duration.ts';
import type { Fill } from '../../host/config/fill.ts';
import { isTree, type Tree } from '../../host/config/tree.ts';
import type { Env } from '../../host/part.ts';

const VARIABLE = 'MCP_N8N_BACKEND_TIMEOUT';

/** MCP_N8N_BACKEND_TIMEOUT in milliseconds. A bare number is always seconds, as in the gateway that introduced it. */
export function serverTimeout(env: Env): number | undefined {
  const given = env[VARIABLE]?.trim();
  if (!given) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1_000 : toMilliseconds(given);
  return ms !== undefined && ms > 0 && ms <= 24 * 3_600_000 ? ms : undefined;
}

/** The timeouts of every server and preset that sets none, for its start and its calls. */
export function timeoutFills(file: Tree, env: Env): Fill[] {
  const timeout = serverTimeout(env);
  if (timeout !== undefined)
    return ['mcpServers', 'presets'].flatMap((section) =>
      Object.entries((file[section] ?? {}) as Tree)
        .filter(([, entry]) => isTree(entry))
        .flatMap(([name]) =>
          ['timeout', 'callTimeout'].map((key) => ({
            variable: VARIABLE,
            path: [section, name, key],
            value: `${timeout}ms`,
          })),
        ),
    );
  const fix = 'Set it to a number of seconds up to 86400, for example 30.';
  return env[VARIABLE] ? [{ variable: VARIABLE, problem: { message: 'is not a number of seconds', fix } }] : [];
}
