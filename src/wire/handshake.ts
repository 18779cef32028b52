import { AppError, toAppError } from '../kernel/errors.ts';
import type { Era, Json } from '../kernel/source.ts';
import { code, isObject } from './jsonrpc.ts';
import type { Link } from './link.ts';
import type { Answer } from './service.ts';
import { eraOf, LATEST_LEGACY, legacyVersions, MODERN, meta } from './versions.ts';

/** What both sides agreed on. */
export interface Handshake {
  era: Era;
  version: string;
  capabilities: Json;
  info: Json;
  instructions?: string;
}

/** Who introduces itself, and how long the handshake may take. */
export interface Greeting {
  client: { info: Json; capabilities: Json };
  /** Timeout of the whole handshake. */
  timeoutMs: number;
  /** The era found last time. A wrong one costs a retry; a right one saves the probe. */
  prior?: Era;
}

/** The connection for the handshake. */
export interface Greeted {
  readonly kind: Link['kind'];
  request(method: string, params: Json, call: { idleMs: number }): Promise<Answer>;
  /** Reopens the link if the server has ended it; fails if the handshake was cancelled meanwhile. */
  reopen(): Promise<void>;
  /** Falls back to HTTP+SSE; undefined if that is not possible. */
  fallBack?: (() => Promise<void>) | undefined;
}

const PROBE_MS = 3000;

/** Finds out which era a server speaks, and introduces us in it. */
export async function negotiate(server: Greeted, greeting: Greeting): Promise<Handshake> {
  if (greeting.prior === 'legacy') return initialize(server, greeting);
  const probe = await discover(server, greeting).catch((error: unknown) => toAppError(error));
  if (!(probe instanceof AppError)) return probe ?? initialize(server, greeting);
  if (server.kind === 'http') {
    const status = statusOf(probe);
    // Silence, 5xx and refused credentials say nothing about the era.
    if (status === undefined || status < 400 || status >= 500 || status === 401 || status === 403) throw probe;
  } else {
    // Some 2025 servers exit on a request before initialize, or never answer it.
    await server.reopen();
  }
  return initialize(server, greeting);
}

/** The modern handshake; undefined if the server speaks only 2025. */
export async function discover(
  server: Pick<Greeted, 'kind' | 'request'>,
  { client, timeoutMs }: Greeting,
): Promise<Handshake | undefined> {
  const idleMs = server.kind === 'http' ? timeoutMs : Math.min(PROBE_MS, timeoutMs / 2);
  const params = {
    _meta: {
      [meta.protocolVersion]: MODERN,
      [meta.clientInfo]: client.info,
      [meta.clientCapabilities]: client.capabilities,
    },
  };
  let answer = await server.request('server/discover', params, { idleMs });
  // A server that lists our version as supported wants us to try again.
  if ('error' in answer && answer.error.code === code.unsupportedVersion && supports(answer.error.data)) {
    answer = await server.request('server/discover', params, { idleMs });
  }
  if ('error' in answer) return undefined;
  const { supportedVersions, capabilities, instructions, _meta } = answer.result;
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(MODERN)) return undefined;
  const info = isObject(_meta) ? _meta[meta.serverInfo] : undefined;
  return agreed('modern', MODERN, { capabilities, info, instructions });
}

async function initialize(server: Greeted, { client, timeoutMs }: Greeting): Promise<Handshake> {
  const params = { protocolVersion: LATEST_LEGACY, clientInfo: client.info, capabilities: client.capabilities };
  const ask = () => server.request('initialize', params, { idleMs: timeoutMs });
  let answer: Answer;
  try {
    answer = await ask();
  } catch (error) {
    const status = statusOf(toAppError(error));
    if (!server.fallBack || status === undefined || ![400, 404, 405].includes(status)) throw error;
    await server.fallBack().catch(() => {
      throw error;
    });
    answer = await ask();
  }
  if ('error' in answer) {
    throw new AppError(
      'unavailable',
      `The server refused to initialize: ${answer.error.message} (${answer.error.code}).`,
      { data: { refused: meansNever.has(answer.error.code) } },
    );
  }
  const { protocolVersion, capabilities, serverInfo, instructions } = answer.result;
  const version = legacyVersions.find((known) => known === protocolVersion);
  if (version === undefined || eraOf(version) !== 'legacy') {
    throw new AppError(
      'unavailable',
      `The server speaks protocol version ${String(protocolVersion)}, which is not supported.`,
      { data: { refused: true } },
    );
  }
  return agreed('legacy', version, { capabilities, info: serverInfo, instructions });
}

/** Errors that mean initialize itself is not supported. Others may be temporary. */
const meansNever: ReadonlySet<number> = new Set([
  code.unsupportedVersion,
  code.methodNotFound,
  code.invalidRequest,
  code.invalidParams,
]);

/** Whether a failed 2025 handshake shows that the server does not speak 2025. Silence, 5xx and the like do not. */
export function refusesLegacy(error: AppError): boolean {
  const status = statusOf(error);
  if (status === undefined) return error.data?.refused === true;
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
}

/** The parts of the server's self-description that have the right type. */
function agreed(
  era: Era,
  version: string,
  { capabilities, info, instructions }: { capabilities: unknown; info: unknown; instructions: unknown },
): Handshake {
  return {
    era,
    version,
    capabilities: isObject(capabilities) ? capabilities : {},
    info: isObject(info) ? info : {},
    ...(typeof instructions === 'string' && { instructions }),
  };
}

function statusOf({ data }: AppError): number | undefined {
  return typeof data?.status === 'number' ? data.status : undefined;
}

function supports(data: unknown): boolean {
  return isObject(data) && Array.isArray(data.supported) && data.supported.includes(MODERN);
}
