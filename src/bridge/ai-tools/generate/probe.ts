import { setTimeout as delay } from 'node:timers/promises';
import { wellFormed } from '../../../gateway/backends/well-formed.ts';
import { AppError, messageOf } from '../../../kernel/errors.ts';
import type { Answer } from '../../../n8n/client/answer.ts';
import type { N8nClient } from '../../../n8n/client/client.ts';
import { HEADER } from '../../../n8n/generate/header.ts';

/** The tools that an endpoint lists and those of them that no client can call, or why it lists none. */
export type Probed =
  | { readonly tools: readonly string[]; readonly unfit: readonly string[] }
  | { readonly problem: string };

export interface ProbeTarget {
  readonly path: string;
  readonly secret: string;
  /** Expected server name. After an update the older version answers for a while. */
  readonly serverName: string;
}

/** Answers of n8n while it starts, or of a proxy while n8n is down. */
const passing: ReadonlySet<number> = new Set([502, 503]);
/** Long, because an MCP client node first asks another server for its tools. */
const ANSWER_MS = 15_000;
const STEP_MS = 60;
/** How long n8n may take to publish a version. */
const LIVE_MS = 15_000;
/** Earlier refusals may still come from the previous version. */
const REFUSED_MS = 1500;
/** How long n8n may be unreachable. Then the probe fails: that says nothing about the tools. */
const AWAY_MS = 3000;

/** Lists an endpoint's tools, once the published version answers. Throws if n8n cannot be reached. */
export async function probeEndpoint(client: N8nClient, target: ProbeTarget, signal: AbortSignal): Promise<Probed> {
  const began = Date.now();
  let there = began;
  for (;;) {
    const { probed, isCurrent, away } = await askOnce(client, target, signal);
    if (isCurrent) return probed;
    if (!away) there = Date.now();
    else if (Date.now() - there > AWAY_MS) throw away;
    const waited = Date.now() - began;
    if (waited > LIVE_MS || ('refused' in probed && waited > REFUSED_MS)) return probed;
    await delay(STEP_MS, undefined, { signal });
  }
}

interface Asked {
  readonly probed: Probed & { readonly refused?: true };
  /** Whether the expected version answered. */
  readonly isCurrent: boolean;
  /** n8n could not be reached. */
  readonly away?: AppError;
}

async function askOnce(
  client: N8nClient,
  { path, secret, serverName }: ProbeTarget,
  signal: AbortSignal,
): Promise<Asked> {
  const post = async (body: object, session?: string): Promise<Answer> =>
    client.plain.send('POST', `/mcp/${path}`, {
      body: { jsonrpc: '2.0', ...body },
      headers: {
        accept: 'application/json, text/event-stream',
        [HEADER]: secret,
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      timeoutMs: ANSWER_MS,
      signal,
    });
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'sluice-bridge', version: '1' },
  };
  let session: string | undefined;
  try {
    const hello = await post({ id: 1, method: 'initialize', params });
    session = hello.headers.get('mcp-session-id') ?? undefined;
    if (passing.has(hello.status)) throw await client.plain.refusal(hello, 'POST', `/mcp/${path}`);
    const result = resultIn(hello);
    if (!result) return { probed: refusal(hello), isCurrent: false };
    const name = (result.serverInfo as { name?: unknown } | undefined)?.name;
    if (name !== serverName)
      return { probed: { problem: 'n8n still serves an older version of it.' }, isCurrent: false };
    await post({ method: 'notifications/initialized' }, session);
    const listed = await post({ id: 2, method: 'tools/list' }, session);
    if (passing.has(listed.status)) throw await client.plain.refusal(listed, 'POST', `/mcp/${path}`);
    const tools = resultIn(listed)?.tools as { name?: unknown }[] | undefined;
    if (!Array.isArray(tools)) return { probed: refusal(listed), isCurrent: true };
    const [fit, unfit] = [true, false].map((wanted) =>
      tools.filter((tool) => 'item' in wellFormed('tools', tool) === wanted).map(({ name }) => String(name)),
    ) as [string[], string[]];
    return { probed: { tools: fit, unfit }, isCurrent: true };
  } catch (error) {
    if (signal.aborted) throw error;
    const late = error instanceof AppError && error.code === 'timeout';
    if (error instanceof AppError && error.code === 'unavailable')
      return { probed: { problem: error.message }, isCurrent: false, away: error };
    const problem = late ? `It did not list its tools within ${ANSWER_MS / 1000} s.` : messageOf(error);
    return { probed: { problem, ...(late && { refused: true }) }, isCurrent: false };
  } finally {
    if (session !== undefined) void end(client, path, secret, session);
  }
}

/** n8n keeps a session until it is deleted. */
async function end(client: N8nClient, path: string, secret: string, session: string): Promise<void> {
  const headers = { [HEADER]: secret, 'mcp-session-id': session };
  await client.plain.send('DELETE', `/mcp/${path}`, { headers }).catch(() => {});
}

function resultIn({ status, body }: Answer): Record<string, unknown> | undefined {
  if (status !== 200) return undefined;
  for (const message of typeof body === 'string' ? messagesIn(body) : [body]) {
    const { result } = (message ?? {}) as { result?: unknown };
    if (typeof result === 'object' && result !== null) return result as Record<string, unknown>;
  }
  return undefined;
}

function messagesIn(stream: string): unknown[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .flatMap((line) => {
      try {
        return [JSON.parse(line.slice('data:'.length)) as unknown];
      } catch {
        return [];
      }
    });
}

function refusal({ status, body }: Answer): Asked['probed'] {
  if (status === 404) return { problem: 'n8n does not serve it yet.' };
  if (status === 401 || status === 403) return { problem: 'n8n does not accept its secret header.', refused: true };
  const said = typeof body === 'object' && body !== null && 'message' in body ? `: ${String(body.message)}` : '';
  return { problem: `n8n could not load its tools (${status}${said.slice(0, 300)}).`, refused: true };
}
