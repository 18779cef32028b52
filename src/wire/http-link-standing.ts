import type { ClientRequest } from 'node:http';
import { type Headers, type HttpLinkState, signed } from './http-link-state.ts';
import { canAskAgain, readStream, requestStream, RESUME_TRIES } from './http-link-stream.ts';

/** The stream on which a 2025 server sends messages that belong to no request. */
export function createStandingStream(state: HttpLinkState) {
  let standing: ClientRequest | undefined;

  function open(tries: number, lastEventId: string | undefined): void {
    if (state.closed || state.modern) return;
    signed(
      state,
      (own) => state.closed || take(own),
      // The next call reports the error.
      () => {},
    );
    function take(own: Headers): void {
      standing = requestStream(
        state,
        { own, lastEventId },
        (response) => {
          if (response.statusCode === 200)
            return readStream(state.events, response, undefined, (end) =>
              again(end.retryMs, 0, end.lastEventId ?? lastEventId),
            );
          // 405 means that the server has no such stream, which is allowed.
          void canAskAgain(state, response, own).then((may) => may && tries < RESUME_TRIES && wait());
        },
        wait,
      );
    }
    function wait(): void {
      again(Math.min(30_000, 500 * 2 ** tries), tries + 1, lastEventId);
    }
    function again(ms: number, next: number, id: string | undefined): void {
      if (!state.closed) setTimeout(() => open(next, id), ms).unref();
    }
  }

  return {
    open: () => open(0, undefined),
    destroy: () => standing?.destroy(),
  };
}
