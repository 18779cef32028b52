import { z } from 'zod';
import { errorCodes } from '../../kernel/errors.ts';
import type { Json, Outcome, RpcError } from '../../kernel/source.ts';
import { type Trace, traceparent } from '../../kernel/trace.ts';
import { waiting } from './error-reply.ts';
import type { RestExchange } from './exchange.ts';

/** A call that has ended. */
export interface Invocation {
  readonly exchange: RestExchange;
  readonly trace: Trace;
  readonly tool: string;
  readonly outcome: Outcome & { json?: string };
  readonly ms: number;
  /** Its client has gone. */
  readonly cancelled: boolean;
}

export const invocationResult = z.object({
  content: z.array(z.record(z.string(), z.unknown())).describe('As MCP has it: text, images, links'),
  structuredContent: z.unknown().optional().describe('The same as data, where the tool has any'),
  isError: z.boolean(),
  _meta: z.record(z.string(), z.unknown()).optional(),
  _tool_name: z.string(),
  _execution_time_ms: z.number(),
  _request_id: z.string(),
});

/** What a call came to, over HTTP: what the tool said stands in it unchanged. */
export function invocationReply(invocation: Invocation, form: 'wrapped' | 'bare'): Response {
  const { exchange, outcome } = invocation;
  const headers = { traceparent: traceparent(invocation.trace) };
  const id = JSON.stringify(exchange.answers);
  if ('error' in outcome) {
    const error = JSON.stringify(outcome.error);
    return exchange.reply(
      `{"jsonrpc":"2.0","id":${id},"error":${error}}`,
      statusOfRpc(outcome.error, invocation.cancelled),
      headers,
    );
  }
  const text = resultText(invocation, outcome);
  // A server's own failures are answers like any other.
  const ours = outcome.failed;
  const status = ours?.http ?? 200;
  return exchange.reply(form === 'bare' ? text : `{"jsonrpc":"2.0","id":${id},"result":${text}}`, status, {
    ...headers,
    ...waiting(ours?.data),
  });
}

function resultText({ tool, ms, exchange }: Invocation, { result, json }: { result: Json; json?: string }): string {
  const added: Json = {
    ...(!('content' in result) && { content: [] }),
    ...(typeof result.isError !== 'boolean' && { isError: false }),
    _tool_name: tool,
    _execution_time_ms: ms,
    _request_id: exchange.id,
  };
  // The text of a relayed result is kept: numbers beyond JavaScript's would not survive being read and written again.
  const taken = Object.keys(added).some((key) => Object.hasOwn(result, key));
  if (json === undefined || taken || !json.endsWith('}') || json === '{}')
    return JSON.stringify({ ...result, ...added });
  return `${json.slice(0, -1)},${JSON.stringify(added).slice(1)}`;
}

function statusOfRpc({ code }: RpcError, cancelled: boolean): number {
  if (cancelled) return errorCodes.cancelled.http;
  if (code === errorCodes.invalid_input.rpc) return errorCodes.invalid_input.http;
  // A gateway was told something by the one behind it that makes no sense here.
  return 502;
}
