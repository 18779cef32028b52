import type { GatewayStatus } from '../../src/gateway/status/status.ts';
import { type CallResult, type Json, modern, send } from '../integration/harness.ts';

/** One tools/call over plain HTTP. Throws protocol errors; the caller checks `isError`. */
export async function call(url: string, name: string, args: Json = {}, signal?: AbortSignal): Promise<CallResult> {
  const request = modern('tools/call', { name, arguments: args });
  const { messages, text } = await send(new URL('/mcp', url).href, { ...request, ...(signal && { signal }) });
  const answer = messages.at(-1);
  if (!answer?.result) throw new Error(text);
  return answer.result as CallResult;
}

export async function toolNames(url: string): Promise<string[]> {
  const { messages } = await send(new URL('/mcp', url).href, modern('tools/list'));
  const [answer] = messages as { result: { tools: { name: string }[] } }[];
  if (!answer) throw new Error('tools/list was not answered.');
  return answer.result.tools.map(({ name }) => name);
}

export type BackendStatus = GatewayStatus['backends'][number];

export async function statusOf(url: string): Promise<GatewayStatus> {
  return JSON.parse((await send(new URL('/api/v1/status', url).href)).text) as GatewayStatus;
}

export async function backendOf(url: string, name: string): Promise<BackendStatus | undefined> {
  return (await statusOf(url)).backends.find((backend) => backend.name === name);
}

/** The machine-readable part of our own errors: the code, and whether a retry makes sense. */
export function errorOf(result: CallResult): { code: string; retryable: boolean; [key: string]: unknown } | undefined {
  const own = (result._meta as Json | undefined)?.['sluice/error'];
  return own as { code: string; retryable: boolean } | undefined;
}

/** The recorded events of one type, or of all `prefix*`, oldest first. */
export async function eventsOf(url: string, type: string): Promise<{ event_type: string; data: Json }[]> {
  const { structuredContent } = await call(url, 'get_events', { event_type: type });
  return (structuredContent as { events: { event_type: string; data: Json }[] }).events.toReversed();
}
