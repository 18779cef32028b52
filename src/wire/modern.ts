import type { IncomingHttpHeaders } from 'node:http';
import type { ClientFacts, Json, RpcError } from '../kernel/source.ts';
import { code, isObject, type Request } from './jsonrpc.ts';
import { decodeHeader } from './param-headers.ts';
import { eraOf, MODERN, meta } from './versions.ts';

/** Whether params claim the 2026 envelope: their `_meta` contains the protocol version. */
export function claimsModern(params: unknown): boolean {
  return isObject(params) && isObject(params._meta) && meta.protocolVersion in params._meta;
}

/** The client as its envelope describes it, or an error that says what is missing. */
export function readEnvelope(params: unknown): { client: ClientFacts } | { error: RpcError } {
  const given = isObject(params) && isObject(params._meta) ? params._meta : undefined;
  const required = [meta.protocolVersion, meta.clientCapabilities];
  const missing = given === undefined ? ['_meta'] : required.filter((key) => given[key] === undefined);
  if (given === undefined || missing.length > 0) {
    const message = `Invalid params: the request lacks ${missing.join(' and ')}, which ${MODERN} requires.`;
    return { error: { code: code.invalidParams, message, data: { envelope: { missing } } } };
  }
  const version = given[meta.protocolVersion];
  const capabilities = given[meta.clientCapabilities];
  const info = given[meta.clientInfo];
  const logLevel = given[meta.logLevel];
  const wrong =
    (typeof version !== 'string' && meta.protocolVersion) ||
    (!isObject(capabilities) && meta.clientCapabilities) ||
    (info !== undefined && !isObject(info) && meta.clientInfo) ||
    (logLevel !== undefined && typeof logLevel !== 'string' && meta.logLevel);
  if (wrong) {
    return {
      error: {
        code: code.invalidParams,
        message: `Invalid params: ${wrong} has the wrong type.`,
        data: { envelope: { key: wrong } },
      },
    };
  }
  return {
    client: {
      era: 'modern',
      version: version as string,
      capabilities: capabilities as Json,
      ...(isObject(info) && { info }),
      ...(typeof logLevel === 'string' && { logLevel }),
    },
  };
}

export function unsupportedVersion(requested: string): RpcError {
  return {
    code: code.unsupportedVersion,
    message: `Protocol version ${requested} is not supported.`,
    data: { supported: [MODERN], requested },
  };
}

/** The body field that the Mcp-Name header repeats. */
const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

export function mcpName(method: string, params: unknown): string | undefined {
  const field = Object.hasOwn(named, method) ? named[method] : undefined;
  const value = field !== undefined && isObject(params) ? params[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const one = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value.join(',') : value)?.trim();

/** Whether the headers mark a 2026 request, no matter what its body says. */
export function headerNamesModern(headers: IncomingHttpHeaders): boolean {
  const version = one(headers['mcp-protocol-version']);
  return version !== undefined && eraOf(version) === 'modern';
}

/** How the standard headers disagree with the body, if they do. */
export function headerMismatch(headers: IncomingHttpHeaders, request: Request, version: string): RpcError | undefined {
  const mismatch = (message: string): RpcError => ({
    code: code.headerMismatch,
    message: `Header mismatch: ${message}.`,
  });
  const given = one(headers['mcp-protocol-version']);
  if (given === undefined) return mismatch('the MCP-Protocol-Version header is absent');
  if (given !== version) return mismatch(`the MCP-Protocol-Version header says ${given}, the body says ${version}`);
  const method = one(headers['mcp-method']);
  if (method === undefined) return mismatch('the Mcp-Method header is absent');
  if (method !== request.method)
    return mismatch(`the Mcp-Method header says ${method}, the body says ${request.method}`);
  const name = mcpName(request.method, request.params);
  if (name === undefined) return undefined;
  const header = one(headers['mcp-name']);
  if (header === undefined) return mismatch('the Mcp-Name header is absent');
  const decoded = decodeHeader(header);
  if (decoded === undefined) return mismatch('the Mcp-Name header is not valid base64');
  return decoded === name ? undefined : mismatch(`the Mcp-Name header says ${decoded}, the body says ${name}`);
}

/** HTTP status of an error that is the whole response. */
export function statusOf(error: RpcError): number {
  if (error.code === code.methodNotFound) return 404;
  return [code.headerMismatch, code.missingCapability, code.unsupportedVersion].some((known) => known === error.code)
    ? 400
    : 200;
}
