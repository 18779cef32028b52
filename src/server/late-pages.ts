import { messageOf } from '../kernel/errors.ts';
import { late } from '../kernel/late.ts';
import { refuse } from '../wire/http-inbound.ts';
import { code } from '../wire/jsonrpc.ts';
import type { Pages } from './pages.ts';

/** Pages whose code is loaded with the first request for them, so that MCP does not wait for it. */
export function latePages(load: () => Promise<Pages>): Pages {
  const pages = late(load);
  return async (request, response) => {
    let serve: Pages;
    try {
      serve = await pages();
    } catch (error) {
      process.emitWarning(`What answers ${request.url?.split('?', 1)[0]} cannot be loaded: ${messageOf(error)}`);
      const message = "Sluice could not load what answers this. Try again; Sluice's log says what is wrong.";
      return refuse(response, 503, { code: code.server, message });
    }
    // Skip clients that hung up while loading: nothing would ever end what we start for them.
    if (!response.closed) await serve(request, response);
  };
}
