import { type Json, modern, rpc, send } from '../integration/harness.ts';

/** How one request ended, and what came before its answer. */
export interface Exchanged {
  readonly status: number;
  readonly result: Json;
  readonly error: { code: number; message: string; data?: Json } | undefined;
  readonly before: Json[];
}

interface Extra {
  capabilities?: Json;
  meta?: Json;
  headers?: Record<string, string>;
}

let lastId = 0;

/** One 2026-07-28 request. */
export async function ask(url: string, method: string, params: Json = {}, extra: Extra = {}): Promise<Exchanged> {
  const { headers, body } = modern(method, params, { ...extra, id: ++lastId });
  return exchanged(await send(url, { headers: { ...headers, ...extra.headers }, body }));
}

/** One request of a 2025 session. */
export async function askIn(
  url: string,
  session: Record<string, string>,
  method: string,
  params: Json = {},
): Promise<Exchanged> {
  return exchanged(await send(url, { headers: session, body: rpc(++lastId, method, params) }));
}

export function call(url: string, name: string, args: Json = {}, extra: Extra & { params?: Json } = {}) {
  return ask(url, 'tools/call', { name, arguments: args, ...extra.params }, extra);
}

export function callIn(url: string, session: Record<string, string>, name: string, args: Json = {}, meta?: Json) {
  return askIn(url, session, 'tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
}

/** The headers of a 2025 session, and of the user who opened it. */
export async function sessionOf(
  url: string,
  headers: Record<string, string>,
  options: { version?: string; capabilities?: Json } = {},
): Promise<Record<string, string>> {
  const { version = '2025-11-25', capabilities = {} } = options;
  const clientInfo = { name: 'sluice-test', version: '1.0.0' };
  const params = { protocolVersion: version, capabilities, clientInfo };
  const opened = await send(url, { headers, body: rpc(++lastId, 'initialize', params) });
  const id = opened.headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`No session: ${opened.status} ${opened.text}`);
  const session = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': version };
  await send(url, { headers: session, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  return session;
}

/** The text of a tool's result. */
export function said({ result, error }: Exchanged): string {
  if (error) throw new Error(`${error.code} ${error.message}`);
  return (result.content as { text?: string }[]).map(({ text }) => text ?? '').join('');
}

function exchanged({ status, messages }: { status: number; messages: Json[] }): Exchanged {
  const last = messages.at(-1);
  return {
    status,
    result: (last?.result ?? {}) as Json,
    error: last?.error as Exchanged['error'],
    before: messages.slice(0, -1),
  };
}
