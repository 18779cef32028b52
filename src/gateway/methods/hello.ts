import type { Json } from '../../kernel/source.ts';
import { code, errorOutcome, type Request } from '../../wire/jsonrpc.ts';
import type { Answer, Exchange } from '../../wire/service.ts';
import { MODERN, meta } from '../../wire/versions.ts';
import { instructionsFor } from '../instructions.ts';
import { logLevels } from '../log-levels.ts';
import type { Notices } from '../notices.ts';
import type { Visibility } from '../visibility.ts';
import type { Methods } from './method.ts';

/** The handshake, and what a client sets for its whole session. */
export function helloMethods({
  serverInfo,
  notices,
  visibility,
}: {
  serverInfo: Json;
  notices: Notices;
  visibility: Visibility;
}): Methods {
  function discover(exchange: Exchange): Answer {
    const backends = visibility.backends(exchange);
    return {
      result: {
        resultType: 'complete',
        supportedVersions: [MODERN],
        capabilities: visibility.capabilities(exchange, 'modern'),
        ...instructionsFor(visibility.projection(exchange), backends),
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { [meta.serverInfo]: serverInfo },
      },
    };
  }

  function initialize(exchange: Exchange): Answer {
    const backends = visibility.backends(exchange);
    const capabilities = visibility.capabilities(exchange, 'legacy');
    if (exchange.connection) notices.offer(exchange.connection, capabilities);
    const { version: protocolVersion } = exchange.client;
    const instructions = instructionsFor(visibility.projection(exchange), backends);
    return { result: { protocolVersion, capabilities, serverInfo, ...instructions } };
  }

  async function setLevel({ params }: Request, exchange: Exchange): Promise<Answer> {
    const level = params?.level;
    if (typeof level !== 'string' || !logLevels.includes(level))
      return errorOutcome(code.invalidParams, `Invalid params: level must be one of ${logLevels.join(', ')}.`);
    if (exchange.connection) exchange.connection.client = { ...exchange.connection.client, logLevel: level };
    await Promise.all(visibility.backends(exchange).map((backend) => backend.raiseLogLevel(level)));
    return { result: {} };
  }

  return {
    legacy: {
      initialize: (_, exchange) => initialize(exchange),
      ping: () => ({ result: {} }),
      'logging/setLevel': setLevel,
    },
    modern: { 'server/discover': (_, exchange) => discover(exchange) },
  };
}
