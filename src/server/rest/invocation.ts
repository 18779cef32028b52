import { z } from 'zod';
import { errorCodes } from '../../kernel/errors.ts';
import { joined } from '../../kernel/large-text.ts';
import type { Json, Outcome, RpcError } from '../../kernel/source.ts';
import { type Trace, traceparent } from '../../kernel/trace.ts';
import { errorReply, waiting } from './error-reply.ts';
import type { RestExchange } from './exchange.ts';

/** A finished call. */
export interface Invocation {
  readonly exchange: RestExchange;
  readonly trace: Trace;
  readonly tool: string;
  readonly outcome: Outcome;
  readonly ms: number;
}

export const invocationResult = z.object({
  content: z.array(z.record(z.string(), z.unknown())).describe('MCP content: text, images, links'),
  structuredContent: z.unknown().optional().describe('The same as structured data, if the tool provides it'),
  isError: z.boolean(),
  _meta: z.record(z.string(), z.unknown()).optional(),
  _tool_name: z.string(),
  _execution_time_ms: z.number(),
  _request_id: z.string(),
});

/** The HTTP answer to a call. It contains the tool's result unchanged. */
export function invocationReply(invocation: Invocation, form: 'wrapped' | 'bare'): Response {
  const { exchange, outcome } = invocation;
  const { failed } = outcome;
  const headers = { traceparent: traceparent(invocation.trace) };
  const id = JSON.stringify(exchange.answers);
  if ('error' in outcome) {
    if (failed) return errorReply(exchange, failed, headers);
    const error = JSON.stringify(outcome.error);
    return exchange.reply(`{"jsonrpc":"2.0","id":${id},"error":${error}}`, statusOf(outcome.error), headers);
  }
  const text = resultText(invocation, outcome);
  // A failure that the server itself reports gets status 200 like any result.
  return exchange.reply(
    form === 'bare' ? text : joined(`{"jsonrpc":"2.0","id":${id},"result":`, text, '}'),
    failed?.http ?? 200,
    {
      ...headers,
      ...waiting(failed?.data),
    },
  );
}

function resultText({ tool, ms, exchange }: Invocation, { result, json }: { result: Json; json?: string }): string {
  const added: Json = {
    ...(!('content' in result) && { content: [] }),
    ...(typeof result.isError !== 'boolean' && { isError: false }),
    _tool_name: tool,
    _execution_time_ms: ms,
    _request_id: exchange.id,
  };
  // Keep the text of a relayed result: parsing would change numbers beyond JavaScript's precision.
  const taken = Object.keys(added).some((key) => Object.hasOwn(result, key));
  if (json === undefined || taken || !json.endsWith('}') || json === '{}')
    return JSON.stringify({ ...result, ...added });
  return joined('', json.slice(0, -1), `,${JSON.stringify(added).slice(1)}`);
}

/** Status of a protocol error from the tool's server: 400 if the call was wrong, else 502. */
function statusOf({ code }: RpcError): number {
  return code === errorCodes.invalid_input.rpc ? errorCodes.invalid_input.http : 502;
}
