import { joined } from '../kernel/large-text.ts';
import type { Json, Outcome, RpcError } from '../kernel/source.ts';

export type Id = string | number;

export interface Request {
  jsonrpc: '2.0';
  id: Id;
  method: string;
  params?: Json;
}

export interface Notification {
  jsonrpc: '2.0';
  id?: undefined;
  method: string;
  params?: Json;
}

export interface Response {
  jsonrpc: '2.0';
  id: Id | null;
  result?: Json;
  error?: RpcError;
}

export type Message = Request | Notification | Response;

export const code = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  server: -32000,
  sessionNotFound: -32001,
  resourceNotFoundLegacy: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  urlElicitationLegacy: -32042,
} as const;

export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

export const isRequest = (message: Message): message is Request => 'method' in message && message.id !== undefined;
export const isNotification = (message: Message): message is Notification =>
  'method' in message && message.id === undefined;
export const isResponse = (message: Message): message is Response => !('method' in message);

/** The message in a parsed value, or why it is not a message. */
export function asMessage(value: unknown): Message | { invalid: string } {
  if (!isObject(value)) return { invalid: 'a JSON-RPC message is an object' };
  if (value.jsonrpc !== '2.0') return { invalid: 'jsonrpc must be "2.0"' };
  const hasId = value.id !== undefined;
  if (hasId && typeof value.id !== 'string' && !Number.isInteger(value.id) && value.id !== null) {
    return { invalid: 'id must be a string or an integer' };
  }
  if (value.method !== undefined) {
    if (typeof value.method !== 'string') return { invalid: 'method must be a string' };
    if (value.id === null) return { invalid: 'the id of a request must not be null' };
    if (value.params !== undefined && !isObject(value.params)) return { invalid: 'params must be an object' };
    return value as unknown as Message;
  }
  if (!hasId) return { invalid: 'neither a method nor an id' };
  if (isObject(value.result) || isObject(value.error)) return value as unknown as Message;
  return { invalid: 'a response needs a result or an error object' };
}

/** The id by which the sender of an invalid message may recognize it. */
export function idIn(value: unknown): Id | null {
  return isObject(value) && (typeof value.id === 'string' || typeof value.id === 'number') ? value.id : null;
}

/** The text of a response. A result that is text already is not serialized again. */
export function responseText(id: Id | null, outcome: Outcome & { json?: string }): string {
  const head = `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},`;
  if ('error' in outcome) return `${head}"error":${JSON.stringify(outcome.error)}}`;
  return joined(`${head}"result":`, outcome.json ?? JSON.stringify(outcome.result), '}');
}

export function errorOutcome(code: number, message: string, data?: unknown): { error: RpcError } {
  return { error: data === undefined ? { code, message } : { code, message, data } };
}

/** Deep nesting could overflow the stack. Real messages stay far below this. */
export const MAX_DEPTH = 256;

/** Parses JSON from outside. Throws a SyntaxError for excessive nesting too. */
export function parseJson(text: string | Buffer): unknown {
  const value: unknown = JSON.parse(typeof text === 'string' ? text : text.toString('utf8'));
  if (text.length > MAX_DEPTH && isTooDeep(value)) {
    throw new SyntaxError(`nested more than ${MAX_DEPTH} levels deep`);
  }
  return value;
}

export function isTooDeep(root: unknown): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (value === null || typeof value !== 'object') continue;
      for (const inner of Array.isArray(value) ? value : Object.values(value)) {
        if (inner !== null && typeof inner === 'object') next.push(inner);
      }
    }
    level = next;
  }
  return false;
}
