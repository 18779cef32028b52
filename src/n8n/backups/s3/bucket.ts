import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import { backoff } from '../../../kernel/retry.ts';
import { type S3Client, s3Client, textIn } from './client.ts';
import { S3Error, strange } from './explain.ts';
import { upload } from './upload.ts';
import type { S3Settings } from './settings.ts';
import { elementsOf, textOf } from './xml.ts';

export interface S3Object {
  readonly key: string;
  readonly bytes: number;
}

/** What backups need of a bucket. */
export interface Bucket extends Disposable {
  /** The host and the bucket, for people. */
  readonly name: string;
  /** Every object whose key begins with this. With a delimiter, also the common beginnings up to it. */
  list(prefix: string, options?: Options & { delimiter?: string; most?: number }): Promise<Listed>;
  /** The first bytes, and the length of the whole object. */
  start(key: string, length: number, options?: Options): Promise<{ start: Buffer; bytes: number }>;
  /** Continues where a broken connection ended. */
  get(key: string, options?: Options): AsyncIterable<Buffer>;
  /** The object appears when all of it has arrived. Returns its length. */
  put(key: string, content: AsyncIterable<Buffer>, options?: Options): Promise<number>;
  remove(key: string, options?: Options): Promise<void>;
  /** Gives up uploads to these keys that began before this time: their process was killed. Their parts cost money. */
  abandon(prefix: string, isOurs: (key: string) => boolean, before: number, options?: Options): Promise<void>;
}

export interface Listed {
  readonly objects: S3Object[];
  readonly prefixes: string[];
}

interface Options {
  readonly signal?: AbortSignal | undefined;
}

const PAGE = 1000;
const MOST_BREAKS = 4;
const BREAK_WAIT = { first: 300, most: 8_000 };

export function openBucket(settings: S3Settings, client: S3Client = s3Client(settings), page = PAGE): Bucket {
  async function list(
    prefix: string,
    { signal, delimiter, most = Number.POSITIVE_INFINITY }: Options & { delimiter?: string; most?: number } = {},
  ): Promise<Listed> {
    const objects: S3Object[] = [];
    const prefixes: string[] = [];
    for (let token: string | undefined; ; ) {
      const query = {
        'list-type': '2',
        prefix,
        'max-keys': String(Math.min(page, most)),
        ...(delimiter !== undefined && { delimiter }),
        ...(token !== undefined && { 'continuation-token': token }),
      };
      const xml = await client.ask({ method: 'GET', query, signal, doing: 'list objects' }, textIn);
      if (textOf(xml, 'ListBucketResult') === undefined) throw strange(client.spot, { status: 200, headers: {} });
      for (const each of elementsOf(xml, 'Contents'))
        objects.push({ key: textOf(each, 'Key') ?? '', bytes: Number(textOf(each, 'Size')) });
      for (const each of elementsOf(xml, 'CommonPrefixes')) prefixes.push(textOf(each, 'Prefix') ?? '');
      if (textOf(xml, 'IsTruncated') !== 'true' || objects.length >= most) return { objects, prefixes };
      const next = textOf(xml, 'NextContinuationToken');
      // Half a list must not pass for all of it.
      if (!next || next === token)
        throw new AppError(
          'unavailable',
          `${client.spot.at} sends only the first page of a list. It has to support ListObjectsV2.`,
        );
      token = next;
    }
  }

  async function start(key: string, length: number, { signal }: Options = {}) {
    const headers = { range: `bytes=0-${length - 1}` };
    try {
      return await client.ask({ method: 'GET', key, headers, signal, doing: 'read' }, async (answer) => {
        const chunks: Buffer[] = [];
        let got = 0;
        // An endpoint without ranges sends everything.
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          chunks.push(chunk);
          got += chunk.length;
          if (got >= length) break;
        }
        const total = /\/(\d+)$/.exec(answer.headers['content-range'] ?? '')?.[1] ?? answer.headers['content-length'];
        return { start: Buffer.concat(chunks).subarray(0, length), bytes: Number(total ?? got) };
      });
    } catch (error) {
      // An empty object has no first byte.
      if (error instanceof S3Error && error.status === 416) return { start: Buffer.alloc(0), bytes: 0 };
      throw error;
    }
  }

  async function* get(key: string, { signal }: Options = {}): AsyncGenerator<Buffer, void, undefined> {
    let at = 0;
    let whole: { etag: string | undefined; bytes: number } | undefined;
    for (let breaks = 0; ; ) {
      const range = { range: `bytes=${at}-`, ...(whole?.etag !== undefined && { 'if-match': whole.etag }) };
      const answer = await client.ask(
        { method: 'GET', key, ...(at > 0 && { headers: range }), signal, doing: 'read' },
        async (begun) => begun,
      );
      whole ??= { etag: answer.headers.etag, bytes: Number(answer.headers['content-length'] ?? Number.NaN) };
      // It does not continue, but begins again.
      let skip = at > 0 && answer.statusCode === 200 ? at : 0;
      try {
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          const rest = chunk.subarray(Math.min(skip, chunk.length));
          skip -= chunk.length - rest.length;
          if (rest.length === 0) continue;
          at += rest.length;
          breaks = 0;
          yield rest;
        }
        if (!(at < whole.bytes)) return;
        throw Object.assign(new Error('the answer is incomplete'), { code: 'ECONNRESET' });
      } catch (error) {
        if (signal?.aborted || ++breaks > MOST_BREAKS) throw client.explained(error, signal);
        await delay(backoff(breaks, BREAK_WAIT));
      }
    }
  }

  return {
    name: `${client.spot.at.replace(/^S3 at /, '')}, bucket ${settings.bucket}`,
    list,
    start,
    get,
    put: (key, content, { signal } = {}) => upload(client, settings, start, key, content, signal),
    async remove(key, { signal } = {}) {
      await client.ask({ method: 'DELETE', key, signal, doing: 'delete' }, textIn);
    },
    async abandon(prefix, isOurs, before, { signal } = {}) {
      for (let from: Record<string, string> = {}, known = ''; ; ) {
        const query = { uploads: '', prefix, 'max-uploads': String(page), ...from };
        const xml = await client.ask({ method: 'GET', query, signal, doing: 'list uploads' }, textIn);
        for (const each of elementsOf(xml, 'Upload')) {
          const [key, uploadId, begun] = ['Key', 'UploadId', 'Initiated'].map((name) => textOf(each, name) ?? '');
          // Others may upload to the bucket, too.
          if (!key || !isOurs(key) || !uploadId || !(Date.parse(begun ?? '') < before)) continue;
          await client.ask({ method: 'DELETE', key, query: { uploadId }, signal, doing: 'abort an upload' }, textIn);
        }
        const [last, lastId] = ['NextKeyMarker', 'NextUploadIdMarker'].map((name) => textOf(xml, name));
        if (textOf(xml, 'IsTruncated') !== 'true' || !last || known === `${last} ${lastId}`) return;
        known = `${last} ${lastId}`;
        from = { 'key-marker': last, ...(lastId && { 'upload-id-marker': lastId }) };
      }
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}
