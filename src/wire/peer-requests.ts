import type { ClientRequest, OutgoingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { http, https } from '../kernel/node-http.ts';

export interface PeerRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: OutgoingHttpHeaders;
}

export interface PeerRequests extends Disposable {
  /** Begins a request to another replica. */
  begin(target: URL, request: PeerRequest): ClientRequest;
}

/** HTTP between replicas, on connections that are kept. */
export function createPeerRequests(): PeerRequests {
  const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
  return {
    begin(target, request) {
      const secure = target.protocol === 'https:';
      const hostname = target.hostname.replace(/^\[|\]$/g, '');
      return (secure ? https : http).request({
        agent: secure ? agents.https : agents.http,
        protocol: target.protocol,
        hostname,
        port: target.port,
        ...request,
        // The Host header may be a client's, which the certificate of the replica does not name.
        ...(secure && isIP(hostname) === 0 && { servername: hostname }),
      });
    },
    [Symbol.dispose]() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
