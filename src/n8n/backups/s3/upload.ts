import { AppError } from '../../../kernel/errors.ts';
import { type S3Client, textIn } from './client.ts';
import { refusal, S3Error, strange } from './explain.ts';
import type { S3Settings } from './settings.ts';
import { encoded, textOf } from './xml.ts';

/** S3 wants at least 5 MiB in each part but the last, and some endpoints want all of them to be of one size. */
const PART = 8 * 1024 * 1024;
/** S3's own limit. */
const MOST_PARTS = 10_000;
/** How many parts are in memory while the next one fills. */
const AT_ONCE = 2;
/** A stopping process waits for this. */
const ABORT_MS = 3_000;

type Start = (key: string, length: number, options: { signal?: AbortSignal | undefined }) => Promise<{ bytes: number }>;

/** Writes an object of unknown length with bounded memory. It appears when all of it has arrived, or not at all. */
export async function upload(
  client: S3Client,
  { encryption }: Pick<S3Settings, 'encryption'>,
  start: Start,
  key: string,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    ...(encryption !== undefined && { 'x-amz-server-side-encryption': encryption }),
  };
  // Closes the file that it reads, also if S3 is away.
  await using parts = partsOf(content);
  const first = (await parts.next()).value ?? Buffer.alloc(0);
  const second = (await parts.next()).value;
  if (!second) {
    await client.ask({ method: 'PUT', key, headers, body: first, signal, doing: 'write' }, textIn);
    return first.length;
  }

  const begin = { method: 'POST', key, query: { uploads: '' }, headers, signal, doing: 'write' } as const;
  const begun = await client.ask(begin, textIn);
  const uploadId = textOf(begun, 'UploadId');
  if (!uploadId) throw strange(client.spot, { status: 200, headers: {} });
  const tags: string[] = [];
  const active = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let bytes = 0;

  async function sendPart(number: number, body: Buffer): Promise<void> {
    const query = { partNumber: String(number), uploadId: uploadId as string };
    tags[number - 1] = await client.ask({ method: 'PUT', key, query, body, signal, doing: 'write' }, async (answer) => {
      await textIn(answer);
      const { etag } = answer.headers;
      if (!etag) throw strange(client.spot, { status: 200, headers: answer.headers });
      return etag;
    });
  }

  async function add(body: Buffer): Promise<void> {
    const number = tags.push('');
    if (number > MOST_PARTS) throw new AppError('too_large', 'The backup is larger than S3 allows in parts of 8 MiB.');
    bytes += body.length;
    const sent: Promise<void> = sendPart(number, body)
      // It may fail while the source is read, when nobody waits for it.
      .catch((error: unknown) => void failures.push(error))
      .finally(() => active.delete(sent));
    active.add(sent);
    if (active.size >= AT_ONCE) await Promise.race(active);
    if (failures.length > 0) throw failures[0];
  }

  try {
    await add(first);
    await add(second);
    for await (const part of parts) await add(part);
    await Promise.all(active);
    if (failures.length > 0) throw failures[0];
    await complete();
    return bytes;
  } catch (error) {
    // A part that arrives after the abort would stay, and cost money.
    await Promise.all(active);
    await abort().catch(() => {});
    throw error;
  }

  async function complete(): Promise<void> {
    const list = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${encoded(tag)}</ETag></Part>`);
    const body = Buffer.from(
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${list.join('')}</CompleteMultipartUpload>`,
    );
    try {
      const query = { uploadId: uploadId as string };
      await client.ask({ method: 'POST', key, query, body, signal, doing: 'write' }, async (answer) => {
        const said = await textIn(answer);
        // S3 may notice a failure after it has sent its status.
        if (textOf(said, 'Error') !== undefined)
          throw refusal(client.spot, { status: 500, headers: answer.headers, body: said, doing: 'write' });
      });
    } catch (error) {
      // The answer to an earlier attempt was lost: then the object is there.
      if (!(error instanceof S3Error) || error.s3Code !== 'NoSuchUpload') throw error;
    }
    const found = await start(key, 1, { signal });
    if (found.bytes !== bytes)
      throw new AppError('unavailable', `${client.spot.at} has ${found.bytes} of ${bytes} bytes of ${key}.`);
  }

  /** Also if the call was cancelled. */
  async function abort(): Promise<void> {
    const query = { uploadId: uploadId as string };
    const limit = AbortSignal.timeout(ABORT_MS);
    await client.ask({ method: 'DELETE', key, query, signal: limit, doing: 'abort an upload' }, textIn);
  }
}

/** The same bytes in parts of one size, except for the last. */
async function* partsOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    let from = 0;
    while (length + chunk.length - from >= PART) {
      const end = from + PART - length;
      yield Buffer.concat([...chunks, chunk.subarray(from, end)]);
      chunks = [];
      length = 0;
      from = end;
    }
    if (from === chunk.length) continue;
    chunks.push(chunk.subarray(from));
    length += chunk.length - from;
  }
  if (length > 0) yield Buffer.concat(chunks);
}
