import { AppError } from '../kernel/errors.ts';

export const BODY_LIMIT = 16 * 1024 * 1024;
/** Limit for requests without a key, which are forms. Parsing a million fields would keep us busy for seconds. */
export const PUBLIC_BODY_LIMIT = 16 * 1024;

/**
 * A request whose body cannot exceed the limit. With a content-length, Node enforces the length; a chunked body is read
 * here.
 */
export async function bounded(request: Request, limit: number = BODY_LIMIT): Promise<Request> {
  const tooLarge = () => new AppError('too_large', `The body is larger than ${limit} bytes. Send a smaller one.`);
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge();
  if (!request.headers.has('transfer-encoding') || !request.body) return request;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: Buffer.concat(chunks) });
}
