import { AppError } from '../kernel/errors.ts';
import type { RpcError } from '../kernel/source.ts';
import { isObject } from './jsonrpc.ts';

/** What an HTTP error status means for a request: the server's own JSON-RPC error if there is one. */
export function readRefusal(status: number, text: string): AppError | { rpc: RpcError } {
  const error = rpcErrorIn(text);
  if (error) return { rpc: error };
  if (status === 401 || status === 403) {
    return new AppError(
      'unavailable',
      `The server refuses our credentials (HTTP ${status}). Check its "headers" in the configuration.`,
      { data: { status } },
    );
  }
  const hint = text.startsWith('<') || text === '' ? '' : `: ${text.slice(0, 200)}`;
  return new AppError('unavailable', `The server answered HTTP ${status}${hint}`, { data: { status } });
}

function rpcErrorIn(text: string): RpcError | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const error = isObject(parsed) ? parsed.error : undefined;
    if (isObject(error) && typeof error.code === 'number') {
      return {
        code: error.code,
        message: typeof error.message === 'string' ? error.message : '',
        ...(error.data !== undefined && { data: error.data }),
      };
    }
  } catch {
    // Not JSON: an HTML page or plain text.
  }
  return undefined;
}
