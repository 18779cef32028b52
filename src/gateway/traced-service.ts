import type { Tracer } from '../kernel/tracing.ts';
import type { Service } from '../wire/service.ts';

/** The same service, with a trace of each request. */
export function tracedService(service: Service, tracer: Tracer): Service {
  return {
    ...service,
    async request(request, exchange) {
      const ended = tracer.serves(request, exchange);
      const answer = await service.request(request, exchange);
      ended(answer);
      return answer;
    },
  };
}
