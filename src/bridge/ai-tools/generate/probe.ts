import { setTimeout as delay } from 'node:timers/promises';
import { wellFormed } from '../../../gateway/backends/well-formed.ts';
import { AppError, messageOf } from '../../../kernel/errors.ts';
import type { Answer } from '../../../n8n/client/answer.ts';
import type { N8nClient } from '../../../n8n/client/client.ts';
import { HEADER } from '../../../n8n/generate/header.ts';

/** What an endpoint answers with: the names of its tools, and of those that no client can call; or why it has none. */
export type Probed =
  | { readonly tools: readonly string[]; readonly unfit: readonly string[] }
  | { readonly problem: string };

export interface ProbeTarget {
  readonly path: string;
  readonly secret: string;
  /** What it must call itself: an older version goes on answering for a while. */
  readonly serverName: string;
}

/** What n8n says while it starts, and a proxy before it while it is down. */
const passing: ReadonlySet<number> = new Set([502, 503]);
/** A tool that asks another server for its tools may take its time. */
const ANSWER_MS = 15_000;
const STEP_MS = 60;
/** How long n8n may take to bring a version live. */
const LIVE_MS = 15_000;
/** How long a refusal has to last: until then it may be that of the version before. */
const REFUSED_MS = 1500;
/** How long n8n may be away. After that nothing is known of the tools, least of all that they are at fault. */
const AWAY_MS = 3000;

/** Asks an endpoint for its tools until the version that was published answers. Fails when n8n itself is away. */
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
  /** Whether it was the version that is meant that spoke. */
  readonly isCurrent: boolean;
  /** It was not there to say anything. */
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
      return { probed: { problem: 'n8n goes on serving an older version of it.' }, isCurrent: false };
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
    const problem = late ? `It did not say within ${ANSWER_MS / 1000} s which tools it has.` : messageOf(error);
    return { probed: { problem, ...(late && { refused: true }) }, isCurrent: false };
  } finally {
    if (session !== undefined) void end(client, path, secret, session);
  }
}

/** n8n keeps what belongs to a session until it is told. */
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
  // Not there yet, or no longer.
  if (status === 404) return { problem: 'n8n does not serve it yet.' };
  if (status === 401 || status === 403)
    return { problem: 'n8n does not accept the secret that opens it.', refused: true };
  const said = typeof body === 'object' && body !== null && 'message' in body ? `: ${String(body.message)}` : '';
  return { problem: `n8n could not make its tools ready (${status}${said.slice(0, 300)}).`, refused: true };
}
