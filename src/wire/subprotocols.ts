import type { IncomingHttpHeaders } from 'node:http';

export const SUBPROTOCOL = 'mcp';
const TOKEN = 'bearer.';

/** The subprotocols that a WebSocket client offers, and the key among them. */
export function readSubprotocols(header: string | undefined): { offered: string[]; tokens: string[] } {
  const all = (header ?? '').split(',').map((name) => name.trim());
  return {
    offered: all.filter((name) => name !== '' && !name.startsWith(TOKEN)),
    tokens: all.filter((name) => name.startsWith(TOKEN)).map((name) => name.slice(TOKEN.length)),
  };
}

/**
 * Browsers cannot set headers for a WebSocket, so they send the key as a subprotocol. Moves it to where every request
 * has it. Returns what is wrong, if something is.
 */
export function adoptToken(headers: IncomingHttpHeaders): string | undefined {
  const { tokens } = readSubprotocols(headers['sec-websocket-protocol']);
  const [token] = tokens;
  if (token === undefined) return undefined;
  const bearer = `Bearer ${token}`;
  if (tokens.length > 1 || (headers.authorization ?? bearer) !== bearer)
    return 'Bad request: Authorization and Sec-WebSocket-Protocol contain different credentials. Send only one.';
  headers.authorization = bearer;
  return undefined;
}
