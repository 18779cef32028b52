import { AppError } from '../kernel/errors.ts';
import type { Json } from '../kernel/source.ts';
import { isObject, parseJson } from './jsonrpc.ts';

/** The body of a request as a JSON object. An empty body is an error that says so. */
export async function readObject(request: Request): Promise<Json> {
  const type = request.headers.get('content-type');
  if (type === null || !/^application\/(?:[\w.+-]*\+)?json\b/i.test(type)) {
    throw new AppError('wrong_media_type', 'Send JSON, with the header Content-Type: application/json.');
  }
  const bytes = Buffer.from(await request.arrayBuffer());
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch (error) {
    throw new AppError('invalid_input', `The body is not valid JSON: ${(error as Error).message}.`, { cause: error });
  }
  if (!isObject(value)) throw new AppError('invalid_input', 'The body must be a JSON object.');
  return value;
}
