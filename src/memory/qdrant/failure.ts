import { AppError, messageOf } from '../../kernel/errors.ts';

const MOST_SAID = 300;

/** What the client throws for an answer that is not a success. */
interface Refusal {
  readonly status: number;
  readonly data: unknown;
}

export const isRefusal = (thrown: unknown): thrown is Refusal =>
  thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number' && 'data' in thrown;

/** Qdrant, or what is in front of it, was not there: the same request may succeed in a moment. */
export const isPassing = (thrown: unknown): boolean =>
  isRefusal(thrown) ? [502, 503, 504].includes(thrown.status) : thrown instanceof TypeError;

const isTimeout = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.constructor.name === 'QdrantClientTimeoutError';

/** Says where it failed and what to do. `hide` removes the API key from what Qdrant said. */
export function failureOf(
  thrown: unknown,
  { place, timeout, hide }: { place: string; timeout: number; hide: (text: string) => string },
): AppError {
  const at = `Qdrant at ${place}`;
  if (thrown instanceof AppError) return thrown;
  if (isTimeout(thrown))
    return new AppError(
      'timeout',
      `${at} did not answer within ${timeout / 1000} s. Try again; if it is busy for longer, raise memory.qdrant.timeout.`,
    );
  if (!isRefusal(thrown)) {
    if (!(thrown instanceof TypeError)) return new AppError('internal', `${at}: ${hide(messageOf(thrown))}`);
    const why = hide(reasonOf(thrown));
    return new AppError(
      'unavailable',
      `${at} cannot be reached (${why}). Check that it is running and that memory.qdrant.url is right.`,
    );
  }
  const { status, data } = thrown;
  const said = hide(saidIn(data));
  const quote = said === '' ? '' : ` It says: ${said}`;
  if (status === 401 || status === 403)
    return new AppError(
      'unavailable',
      `${at} denied access (HTTP ${status}). Check memory.qdrant.apiKey: memory needs a key that may read and write.`,
    );
  if (status === 413)
    return new AppError(
      'too_large',
      `${at} takes no request of this size. Raise max_request_size_mb in its configuration, or store less at once.`,
    );
  if (status === 429) return new AppError('rate_limited', `${at} has had too many requests. Try again in a minute.`);
  if (/no space left|disk.*full|out of disk/i.test(said))
    return new AppError('unavailable', `The disk of ${at} is full. Free some space there, then try again.`);
  if (/dimension/i.test(said))
    return new AppError(
      'conflict',
      `${at} has vectors of other dimensions.${quote} Write another memory.qdrant.collection.`,
    );
  if (status >= 500) return new AppError('unavailable', `${at} failed (HTTP ${status}).${quote} See its log.`);
  return new AppError('internal', `${at} refused a request (HTTP ${status}).${quote}`);
}

/** Of `fetch failed`: the code of what is beneath it. */
function reasonOf(thrown: Error): string {
  const { cause } = thrown;
  if (!(cause instanceof Error)) return thrown.message;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

function saidIn(data: unknown): string {
  const status = typeof data === 'object' && data !== null && 'status' in data ? data.status : data;
  const error = typeof status === 'object' && status !== null && 'error' in status ? status.error : status;
  return typeof error === 'string' ? error.slice(0, MOST_SAID) : '';
}
