import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { RawAnswer } from '../../n8n/running/web-answer.ts';

/** The result of a run in MCP's form. `structured` is the same as data. */
export interface RunResult {
  readonly content: readonly Json[];
  readonly structured?: Json;
  readonly isError?: boolean;
}

export interface RunFile {
  readonly name?: string;
  readonly mimeType?: string;
  /** Base64. */
  readonly data: string;
}

/** Larger results are sent as text only, not again as structured data. */
const MOST_TWICE = 256 * 1024;
const textual = /^text\/|json|xml|javascript|x-www-form-urlencoded|graphql|yaml|csv|ndjson/i;

export const text = (words: string): Json => ({ type: 'text', text: words });

/** The answer of a webhook or a chat. */
export function answerResult({ status, headers, bytes, cut }: RawAnswer, place: string): RunResult {
  if (cut) throw tooLarge(bytes.length);
  const type = headers.get('content-type') ?? '';
  const isText = type === '' ? !bytes.includes(0) : textual.test(type);
  if (status >= 400) return failure(status, isText ? new TextDecoder().decode(bytes) : '');
  if (bytes.length === 0) return nothing(headers.get('location'));
  if (!isText) {
    const name = fileName(headers);
    const file = { ...(name !== undefined && { name }), mimeType: type, data: Buffer.from(bytes).toString('base64') };
    return { content: [fileContent(file, place)] };
  }
  return valueResult(parsed(new TextDecoder().decode(bytes)));
}

/** JSON as text and as data; text unchanged. */
function valueResult(value: unknown, more: readonly Json[] = []): RunResult {
  if (typeof value === 'string') return { content: [text(value), ...more] };
  const words = JSON.stringify(value);
  const structured = structuredOf(value);
  return {
    content: [text(words), ...more],
    ...(structured && words.length <= MOST_TWICE && { structured }),
  };
}

/** MCP's structured content must be an object, so a list becomes `{ items }`. */
function structuredOf(value: unknown): Json | undefined {
  if (Array.isArray(value)) return { items: value };
  return typeof value === 'object' && value !== null ? (value as Json) : undefined;
}

/** The output of the last node: one item becomes an object, several become a list. */
export function itemsResult(items: readonly unknown[], files: readonly RunFile[], place: string): RunResult {
  const contents = files.map((file) => fileContent(file, place));
  const [first] = items;
  if (items.length === 1 && isErrorItem(first)) return { content: [text(errorWords(first))], isError: true };
  const empty = items.length === 0 || (items.length === 1 && isEmpty(first));
  if (empty) return { content: contents.length > 0 ? contents : nothing(null).content };
  return valueResult(items.length === 1 ? first : items, contents);
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** n8n's own rule for an item that represents a failure. */
function isErrorItem(value: unknown): value is { error: unknown; message?: unknown } {
  if (typeof value !== 'object' || value === null || !('error' in value) || !value.error) return false;
  return Object.keys(value).every((key) => key === 'error' || key === 'message' || key === 'details');
}

function errorWords({ error, message }: { error: unknown; message?: unknown }): string {
  const said = [error, message].find((one) => typeof one === 'string') ?? (error as { message?: unknown }).message;
  return `The workflow failed: ${typeof said === 'string' ? said : JSON.stringify(error)}`;
}

function nothing(location: string | null): RunResult {
  const led = location ? ` It redirects to ${location.slice(0, 500)}` : '';
  return { content: [text(`The workflow ran and returned nothing.${led}`)] };
}

/** n8n's error for a successful run whose last node returned no item. */
const NO_ITEM = 'No item to return was found';

function failure(status: number, body: string): RunResult {
  const value = parsed(body);
  const said = typeof value === 'object' && value !== null && 'message' in value ? String(value.message) : undefined;
  if (status === 500 && said === NO_ITEM) return nothing(null);
  const page = /<title>([^<]*)<\/title>/i.exec(body)?.[1];
  const words = said ?? page ?? (typeof value === 'string' ? value : JSON.stringify(value));
  const cut = words.replaceAll(/\s+/g, ' ').trim().slice(0, 2000);
  return { content: [text(`The workflow answered with status ${status}: ${cut || 'no reason given'}`)], isError: true };
}

/** MCP has content types for images and audio. Any other file becomes a resource. */
function fileContent({ name = 'file', mimeType = 'application/octet-stream', data }: RunFile, place: string): Json {
  const kind = /^(image|audio)\//.exec(mimeType)?.[1];
  if (kind !== undefined) return { type: kind, data, mimeType };
  return { type: 'resource', resource: { uri: `${place}/${encodeURIComponent(name)}`, mimeType, blob: data } };
}

function fileName(headers: Headers): string | undefined {
  return /filename="?([^";]+)/i.exec(headers.get('content-disposition') ?? '')?.[1]?.slice(0, 200);
}

export function parsed(words: string): unknown {
  try {
    return JSON.parse(words) as unknown;
  } catch {
    return words;
  }
}

export function tooLarge(bytes: number): AppError {
  const size = Math.floor(bytes / (1024 * 1024));
  return new AppError(
    'too_large',
    `The workflow ran, but returned more than ${size} MB, which is too much for a tool. Make it return less, in pages, or a URL of the data.`,
  );
}

/** Joins a streamed answer, of which n8n sends each piece as a line. Undefined if no piece has content. */
export function streamed(bytes: Uint8Array): RunResult | undefined {
  const lines = new TextDecoder().decode(bytes).split('\n').filter(Boolean).map(parsed);
  const pieces = lines.filter(
    (line): line is { type: string; content?: unknown } => typeof line === 'object' && line !== null && 'type' in line,
  );
  const failed = pieces.find(({ type }) => type === 'error');
  if (failed)
    return {
      content: [
        text(`The workflow failed: ${typeof failed.content === 'string' ? failed.content : 'no reason given'}`),
      ],
      isError: true,
    };
  const said = pieces.flatMap(({ type, content }) => (type === 'item' && content !== undefined ? [content] : []));
  if (said.length === 0)
    return pieces.length === 0 && lines.length > 0 ? valueResult(lines.length === 1 ? lines[0] : lines) : undefined;
  if (said.every((one) => typeof one === 'string')) return { content: [text(said.join(''))] };
  return valueResult(said.length === 1 ? said[0] : said);
}
