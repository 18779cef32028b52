import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bucket, openBucket } from '../../../src/n8n/backups/s3/bucket.ts';
import { s3Client, textIn } from '../../../src/n8n/backups/s3/client.ts';
import type { S3Settings } from '../../../src/n8n/backups/s3/settings.ts';
import { elementsOf, textOf } from '../../../src/n8n/backups/s3/xml.ts';
import { CANARY, s3IsMissing, startS3, type TestS3 } from '../../support/s3.ts';
import { cut, type Fault, faultsBefore, type S3Faults, times, xml } from '../../support/s3-faults.ts';

const MB = 1024 * 1024;
const quick = { idleMs: 30_000, attempts: 4, wait: { first: 1, most: 10 } };

async function* some(...chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}
const contentOf = async (bucket: Bucket, key: string) => Buffer.concat(await Array.fromAsync(bucket.get(key)));
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(s3IsMissing())('a bucket', () => {
  let s3: TestS3;
  let faults: S3Faults;
  let settings: S3Settings;
  let bucket: Bucket;
  const big = randomBytes(9 * MB);
  const inChunks = () => some(...Array.from({ length: 144 }, (_, at) => big.subarray(at * 65_536, (at + 1) * 65_536)));
  const keyOf = (name: string) => `${settings.prefix}${name}`;
  const opened = (change: Partial<S3Settings> = {}, idleMs = quick.idleMs) =>
    openBucket({ ...settings, ...change }, s3Client({ ...settings, ...change }, { ...quick, idleMs }));

  beforeAll(async () => {
    s3 = await startS3();
    faults = await faultsBefore(s3.endpoint);
  });

  beforeEach(() => {
    faults.fault = undefined;
    faults.seen.length = 0;
    settings = { ...s3.settings(), endpoint: faults.endpoint };
    bucket = opened();
  });

  afterAll(async () => {
    await faults?.[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
  });

  it('keeps objects under exactly their names, whatever is in them', async () => {
    const names = [
      'plain.json',
      "~!'()@-_.json",
      'a b/ü/日本.json',
      '%2E%2E/%252F%.json',
      'x=1&y=2;z,$.json',
      'question?hash#.json',
      'plus+plus.json',
      '<xml>&"quotes".json',
    ];
    const contentIn = (name: string) => Buffer.from(`content of ${name}`);
    await Promise.all(names.map((name) => bucket.put(keyOf(name), some(contentIn(name)))));
    const { objects } = await bucket.list(keyOf(''));
    expect(new Set(objects)).toEqual(
      new Set(names.map((name) => ({ key: keyOf(name), bytes: contentIn(name).length }))),
    );
    for (const name of names) {
      expect(await contentOf(bucket, keyOf(name))).toEqual(contentIn(name));
      expect(await bucket.start(keyOf(name), 7)).toEqual({
        start: Buffer.from('content'),
        bytes: contentIn(name).length,
      });
      await bucket.remove(keyOf(name));
    }
    await bucket.remove(keyOf('plain.json'));
    expect((await bucket.list(keyOf(''))).objects).toEqual([]);
    await expect(bucket.start(keyOf('plain.json'), 1)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('signs with a session token, which is in no error', async () => {
    const error = await opened({ sessionToken: 'canary-token', secretAccessKey: `${CANARY}x` })
      .list('')
      .catch((thrown: Error) => thrown);
    expect((error as Error).message).toMatch(/signature|access key|session token/);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('canary');
  });

  it('lists more than a page, and only what begins with the prefix', async () => {
    const names = Array.from({ length: 7 }, (_, at) => `many/${at} &<>"+%`);
    for (const name of [...names, 'other/one']) await bucket.put(keyOf(name), some(Buffer.from('x')));
    const paged = openBucket(settings, s3Client(settings, quick), 3);
    faults.seen.length = 0;
    expect((await paged.list(keyOf('many/'))).objects.map(({ key }) => key)).toEqual(names.map(keyOf));
    expect(faults.seen).toHaveLength(3);
    expect((await paged.list(keyOf('many/'), { most: 2 })).objects).toHaveLength(2);
    expect((await paged.list(keyOf(''), { delimiter: '/' })).prefixes).toEqual([keyOf('many/'), keyOf('other/')]);
  });

  it('takes large content in parts, and gives the same back', async () => {
    expect(await bucket.put(keyOf('big'), inChunks())).toBe(big.length);
    expect(faults.seen.filter((line) => line.includes('partNumber='))).toHaveLength(2);
    expect(hashOf(await contentOf(bucket, keyOf('big')))).toBe(hashOf(big));
    expect((await bucket.start(keyOf('big'), 10)).bytes).toBe(big.length);
  });

  it('survives what happens on the way', async () => {
    const page: Fault = (asked, answer) => {
      asked.resume();
      answer.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
      return true;
    };
    const all = [
      times(1, /partNumber=2/, xml(503, 'SlowDown', '', { 'retry-after': '0' })),
      times(1, /partNumber=1/, cut),
      times(1, /partNumber=2/, xml(400, 'XAmzContentSHA256Mismatch')),
      times(2, /POST .*uploads/, xml(500, 'InternalError')),
      times(2, /POST .*uploadId=/, xml(200, 'InternalError')),
      times(1, /partNumber=1/, page),
    ];
    faults.fault = (asked, answer) => all.some((fault) => fault(asked, answer));
    await bucket.put(keyOf('big'), inChunks());
    expect(hashOf(await contentOf(bucket, keyOf('big')))).toBe(hashOf(big));
    expect(faults.seen.filter((line) => line.includes('partNumber='))).toHaveLength(2 + 4);
  });

  it('knows that an upload is complete if only the answer was lost', async () => {
    let calls = 0;
    faults.fault = (asked, answer) => {
      if (!/POST .*uploadId=/.test(`${asked.method} ${asked.url}`)) return false;
      // The first attempt reaches S3; to the second, S3 says what it says when there is no such upload any more.
      if (++calls > 1) return xml(404, 'NoSuchUpload')(asked, answer);
      const end = answer.writeHead.bind(answer);
      answer.writeHead = ((...given: Parameters<typeof end>) => {
        answer.destroy();
        return end(...given);
      }) as typeof answer.writeHead;
      return false;
    };
    expect(await bucket.put(keyOf('big'), inChunks())).toBe(big.length);
    expect(calls).toBe(2);
  });

  it.each<[string, Fault | undefined, AsyncIterable<Buffer> | undefined]>([
    ['S3 refuses a part', times(99, /partNumber=2/, xml(403, 'AccessDenied')), undefined],
    ['the connection is cut again and again', times(99, /partNumber=2/, cut), undefined],
    [
      'its source fails',
      undefined,
      (async function* () {
        yield* inChunks();
        yield* inChunks();
        throw new Error('the source broke');
      })(),
    ],
  ])('shows nothing of an upload when %s, and aborts it', async (_, fault, content) => {
    faults.fault = fault;
    await expect(bucket.put(keyOf('half'), content ?? inChunks())).rejects.toThrow(/does not allow|closed|broke/);
    expect((await bucket.list(keyOf(''))).objects).toEqual([]);
    expect(faults.seen.at(-2)).toMatch(/^DELETE .*uploadId=/);
  });

  it('stops and aborts when it is cancelled', async () => {
    const stop = new AbortController();
    faults.fault = times(1, /partNumber=2/, (asked) => {
      asked.resume();
      stop.abort();
      return true;
    });
    const put = bucket.put(keyOf('half'), inChunks(), { signal: stop.signal });
    await expect(put).rejects.toMatchObject({ code: 'cancelled' });
    expect(faults.seen.at(-1)).toMatch(/^DELETE .*uploadId=/);
  });

  it("gives up its own uploads, on every page, and never somebody else's", async () => {
    const client = s3Client(settings, quick);
    const paged = openBucket(settings, client, 2);
    const uploads = async () => {
      const query = { uploads: '', prefix: settings.prefix };
      return elementsOf(await client.ask({ method: 'GET', query, doing: 'list uploads' }, textIn), 'Upload');
    };
    for (const name of ['a.mp4', 'a.mp4', 'a.mp4', 'b.json', 'b.json', 'b.json', 'c.mp4', 'd.json'])
      await client.ask({ method: 'POST', key: keyOf(name), query: { uploads: '' }, doing: 'write' }, textIn);
    const isOurs = (key: string) => key.endsWith('.json');
    await paged.abandon(settings.prefix, isOurs, Date.now() - 60_000);
    expect(await uploads()).toHaveLength(8);
    await paged.abandon(settings.prefix, isOurs, Date.now() + 60_000);
    expect((await uploads()).map((each) => textOf(each, 'Key'))).toEqual(
      ['a.mp4', 'a.mp4', 'a.mp4', 'c.mp4'].map(keyOf),
    );
  });

  it('continues a download where the connection broke', async () => {
    await bucket.put(keyOf('big'), inChunks());
    let breaks = 0;
    faults.fault = (_asked, answer) => {
      if (breaks >= 3) return false;
      const pipe = answer.write.bind(answer);
      let sent = 0;
      answer.write = ((chunk: Buffer, ...rest: []) => {
        sent += chunk.length;
        if (sent < 2 * MB) return pipe(chunk, ...rest);
        breaks++;
        answer.destroy();
        return false;
      }) as typeof answer.write;
      return false;
    };
    expect(hashOf(await contentOf(bucket, keyOf('big')))).toBe(hashOf(big));
    expect(breaks).toBe(3);
    expect(faults.seen.filter((line) => line.startsWith('GET')).length).toBeGreaterThanOrEqual(4);
  });

  it('is reached over TLS with a certificate of an own authority, and not without it', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-s3-tls-'));
    const files = ['-keyout', join(place.path, 'key'), '-out', join(place.path, 'cert')];
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...name, ...files];
    execFileSync('openssl', made, { stdio: 'pipe' });
    const cert = await readFile(join(place.path, 'cert'), 'utf8');
    await using secure = await faultsBefore(s3.endpoint, {
      key: await readFile(join(place.path, 'key'), 'utf8'),
      cert,
    });
    const { endpoint } = secure;
    for (const ca of [cert, join(place.path, 'cert')])
      expect(await opened({ endpoint, ca }).list(keyOf(''))).toMatchObject({});
    await expect(opened({ endpoint }).list('')).rejects.toThrow(/certificate that is not trusted.*backups\.s3\.ca/);
  });

  it('reads a certificate that is there only later', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-s3-ca-'));
    const ca = join(place.path, 'cert');
    const late = opened({ ca });
    await expect(late.list('')).rejects.toThrow(/backups\.s3\.ca/);
    await writeFile(ca, '-----BEGIN CERTIFICATE-----\n');
    expect(await late.list(keyOf(''))).toMatchObject({ objects: [] });
  });

  const page: Fault = (_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    return true;
  };
  const firstPage: Fault = (_, answer) => {
    answer.writeHead(200).end('<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>');
    return true;
  };
  const silent: Fault = () => true;
  const troubles: [string, () => Partial<S3Settings>, Fault | undefined, RegExp][] = [
    ['a wrong secret', () => ({ secretAccessKey: 'canary' }), undefined, /signature.*secretAccessKey/],
    ['a missing bucket', () => ({ bucket: 'no-such-bucket-here' }), undefined, /no bucket "no-such-bucket-here"/],
    ['a wrong region', () => ({ region: 'mars-1' }), undefined, /expects the region [\w-]+ for/],
    ['a page of HTML', () => ({}), page, /something else than S3/],
    ['a list without its next page', () => ({}), firstPage, /only the first page/],
    ['an S3 that never answers', () => ({}), silent, /does not answer/],
    ['an S3 that is always busy', () => ({}), xml(503, 'SlowDown'), /fewer requests/],
    ['nothing at its address', () => ({ endpoint: 'http://127.0.0.1:9' }), undefined, /nothing listens there/],
    ['an unknown name', () => ({ endpoint: 'http://no-such-host.invalid' }), undefined, /does not resolve/],
    ['TLS without TLS', () => ({ endpoint: faults.endpoint.replace('http', 'https') }), undefined, /TLS/],
    ['an unreadable certificate', () => ({ ca: '/no/such/file' }), undefined, /backups\.s3\.ca/],
  ];
  it.each(troubles)('explains %s', async (_, change, fault, words) => {
    faults.fault = fault;
    const error = await opened(change(), fault === silent ? 200 : quick.idleMs)
      .list('')
      .catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ name: 'AppError', message: expect.stringMatching(words) });
    expect((error as Error).message).not.toMatch(/canary|</);
  });
});
