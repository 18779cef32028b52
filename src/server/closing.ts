import type { Service } from '../wire/service.ts';
import { errorOutcome } from '../wire/jsonrpc.ts';
import { answeredAtOnce, gatewayStops } from '../wire/http.ts';
import { failed } from '../kernel/call.ts';

/** Lets requests end before the gateway stops. */
export interface Closing {
  /** The same service. Once closing has begun, it refuses new requests. */
  readonly service: Service;
  hasBegun(): boolean;
  /** How many requests wait for their answer. */
  open(): number;
  /** Refuses new requests from now on. Settles when every request that came before has its answer. */
  begin(): Promise<void>;
}

export function createClosing(service: Service): Closing {
  let open = 0;
  let begun = false;
  const idle = Promise.withResolvers<void>();
  const ended = () => {
    open--;
    if (begun && open === 0) idle.resolve();
  };
  return {
    service: {
      ...service,
      request(request, exchange) {
        if (begun && answeredAtOnce.has(request.method)) return service.request(request, exchange);
        if (begun) return Promise.resolve(refusal(request.method));
        open++;
        const answer = service.request(request, exchange);
        answer.then(ended, ended);
        return answer;
      },
    },
    hasBegun: () => begun,
    open: () => open,
    begin() {
      begun = true;
      if (open === 0) idle.resolve();
      return idle.promise;
    },
  };
}

/** Nothing was done yet, so every client may try again. */
function refusal(method: string) {
  const error = gatewayStops();
  return method === 'tools/call' ? failed(error) : errorOutcome(error.rpc, error.message);
}
