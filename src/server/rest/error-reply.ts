import type { AppError } from '../../kernel/errors.ts';
import type { RestExchange } from './exchange.ts';

const PARSE_ERROR = -32_700;

/** The error answer of every endpoint: an HTTP status for programs, a JSON-RPC error for people. */
export function errorReply(exchange: RestExchange, error: AppError, headers: Record<string, string> = {}): Response {
  const code = error.cause instanceof SyntaxError ? PARSE_ERROR : error.rpc;
  const data = { code: error.code, retryable: error.retryable, request_id: exchange.id, ...error.data };
  const body = { jsonrpc: '2.0', id: exchange.answers, error: { code, message: error.message, data } };
  return exchange.reply(body, error.http, { ...waiting(error.data), ...headers });
}

/** The Retry-After header, if the error says when to retry. */
export function waiting(data: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  const seconds = data?.retryAfter;
  return typeof seconds === 'number' ? { 'retry-after': String(Math.ceil(seconds)) } : {};
}
