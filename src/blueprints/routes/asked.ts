import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import { isObject, parseJson } from '../../wire/jsonrpc.ts';

/** What a request asks for: the arguments of a tool, and the token that confirms it. */
export interface Asked {
  readonly args: Json;
  readonly confirm?: string;
}

/** The query of a request, with numbers where the tool wants numbers. */
export function askedInQuery(request: Request, numbers: readonly string[]): Asked {
  const { confirm, ...given } = Object.fromEntries(new URL(request.url).searchParams);
  const args = Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, numbers.includes(name) ? numberOf(name, text) : text]),
  );
  return { args, ...(confirm !== undefined && { confirm }) };
}

function numberOf(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AppError('invalid_input', `"${name}" must be a whole number.`);
}

/** The body of a request: a JSON object, or nothing. The token may also be in the query. */
export async function askedInBody(request: Request): Promise<Asked> {
  const inQuery = new URL(request.url).searchParams.get('confirm');
  const { confirm = inQuery ?? undefined, ...args } = await objectIn(request);
  if (confirm !== undefined && typeof confirm !== 'string')
    throw new AppError('invalid_input', '"confirm" must be the token of the previous answer.');
  return { args, ...(confirm !== undefined && { confirm }) };
}

/** A definition: YAML as it is, or JSON with it as "text". */
export async function askedDefinition(request: Request): Promise<Asked> {
  return isYaml(request) ? { args: { text: await request.text() } } : askedInBody(request);
}

const isYaml = ({ headers }: Request): boolean =>
  /^(?:application|text)\/(?:x-)?yaml\b/i.test(headers.get('content-type') ?? '');

async function objectIn(request: Request): Promise<Json> {
  const bytes = Buffer.from(await request.arrayBuffer());
  if (bytes.length === 0) return {};
  // A web page can send other types anywhere.
  if (!/^application\/(?:[\w.+-]*\+)?json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new AppError('wrong_media_type', 'Send JSON, with the header Content-Type: application/json.');
  let value: unknown;
  try {
    value = parseJson(bytes);
  } catch (error) {
    throw new AppError('invalid_input', `The body is not valid JSON: ${(error as Error).message}.`, { cause: error });
  }
  if (!isObject(value)) throw new AppError('invalid_input', 'The body must be a JSON object.');
  return value;
}
