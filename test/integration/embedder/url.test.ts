import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ModelChoice } from '../../../src/embedder/choice.ts';
import { modelKey } from '../../../src/embedder/text-model.ts';
import { type UrlOptions, urlModel } from '../../../src/embedder/url-model.ts';
import { type EmbeddingsServer, startEmbeddings, type Trouble } from '../../fixtures/embeddings-server.ts';

let server: EmbeddingsServer;
beforeAll(async () => {
  server = await startEmbeddings();
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => {
  server.asked.length = 0;
  server.troubles.length = 0;
});

type UrlChoice = Extract<ModelChoice, { kind: 'url' }>;
const quick = { timeoutMs: 2000, retry: { first: 1, most: 2 } };
const model = (over: Partial<UrlChoice> = {}, options: UrlOptions = quick) =>
  urlModel({ kind: 'url', url: server.url, model: 'test-embedding', apiKey: server.key, ...over }, options);
const fails =
  (status: number, headers: Record<string, string> = {}, body = '{"error":{"message":"busy"}}'): Trouble =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };
const gives =
  (data: unknown): Trouble =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    return true;
  };

test('asks once for the dimensions, and says which model it is', async () => {
  const asked = model();
  expect(modelKey(await asked.identify())).toBe('test-embedding@api/16');
  expect(modelKey(await asked.identify())).toBe('test-embedding@api/16');
  expect(server.asked).toHaveLength(1);
  expect(await model({ dimensions: 8 }).identify()).toMatchObject({ dimensions: 8 });
  expect(server.asked).toHaveLength(1);
});

test('sends what the API expects, and gives vectors of length 1', async () => {
  const [one, same, other] = await model({ dimensions: 8 }).embed(['red apple', 'Red apple', 'train']);
  expect(server.asked).toEqual([
    { model: 'test-embedding', input: ['red apple', 'Red apple', 'train'], encoding_format: 'float', dimensions: 8 },
  ]);
  expect(one).toHaveLength(8);
  expect(Math.hypot(...(one ?? []))).toBeCloseTo(1, 5);
  expect(one).toEqual(same);
  expect(one).not.toEqual(other);
});

test('takes any number of texts, empty, odd and long ones, and an address with a slash or with /embeddings', async () => {
  const texts = ['', 'x'.repeat(1_000_000), 'half \ud800', ...Array.from({ length: 127 }, (_, at) => `text ${at}`)];
  const told: number[] = [];
  const vectors = await model({ url: `${server.url}/` }).embed(texts, { progress: (done) => told.push(done) });
  expect(vectors).toHaveLength(130);
  expect(told).toEqual([64, 128, 130]);
  expect(await model({ url: `${server.url}/embeddings` }).embed(['a'])).toHaveLength(1);
  expect(await model().embed([])).toEqual([]);
});

test('puts vectors into the order of their texts', async () => {
  server.troubles.push(
    gives([
      { index: 1, embedding: [0, 2] },
      { index: 0, embedding: [3, 0] },
    ]),
  );
  expect(await model().embed(['a', 'b'])).toEqual([Float32Array.of(1, 0), Float32Array.of(0, 1)]);
});

test.each([
  ['429', fails(429, { 'retry-after': '0' })],
  ['500', fails(500)],
  ['503', fails(503, {}, '<html>')],
  [
    'a connection that breaks',
    (request) => {
      request.socket.destroy();
      return true;
    },
  ],
  [
    'an answer that breaks off',
    (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"data":');
      setImmediate(() => request.socket.destroy());
      return true;
    },
  ],
] satisfies [string, Trouble][])('tries again after %s', async (_, trouble) => {
  server.troubles.push(trouble, trouble);
  expect(await model().embed(['a'])).toHaveLength(1);
  expect(server.asked).toHaveLength(3);
});

test('waits as long as Retry-After says', async () => {
  server.troubles.push(fails(429, { 'retry-after': '1' }));
  const began = performance.now();
  await model().embed(['a']);
  expect(performance.now() - began).toBeGreaterThan(950);
});

test.each([
  ['a wait of an hour', [fails(429, { 'retry-after': '3600' })], 1],
  ['an account without money', [fails(429, {}, '{"error":{"code":"insufficient_quota","message":"No money"}}')], 1],
  ['too many failures', Array.from({ length: 9 }, () => fails(503)), 3],
])('gives up at %s', async (_, troubles, requests) => {
  server.troubles.push(...troubles);
  await expect(model().embed(['a'])).rejects.toMatchObject({ code: 'unavailable' });
  expect(server.asked).toHaveLength(requests);
});

test.each([
  ['a wrong key', { apiKey: 'sk-wrong-key' }, 'invalid_input', /denied access \(HTTP 401\)\. Check apiKey\.$/],
  ['a missing key', { apiKey: undefined }, 'invalid_input', /denied access \(HTTP 401\)\. Write its key as apiKey\.$/],
  ['an unknown model', { model: 'gpt' }, 'invalid_input', /Check url.* and model\. It says: The model `gpt` does not/],
  ['too many dimensions', { dimensions: 99 }, 'invalid_input', /refused the request \(HTTP 400\).*at most 16/],
])('%s is named, without the key', async (_, over, code, message) => {
  const { apiKey, ...rest } = over as Partial<UrlChoice>;
  const { apiKey: _key, ...choice } = { kind: 'url' as const, url: server.url, model: 'test-embedding', apiKey: '' };
  const key = 'apiKey' in over ? apiKey : server.key;
  const failed = urlModel({ ...choice, ...rest, ...(key !== undefined && { apiKey: key }) }, quick).embed(['a']);
  await expect(failed).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
  await expect(failed).rejects.not.toThrow(/sk-/);
});

test('an error that quotes the key does not pass it on', async () => {
  server.troubles.push(fails(400, {}, JSON.stringify({ error: { message: `bad header Bearer ${server.key}` } })));
  await expect(model().embed(['a'])).rejects.toThrow('It says: bad header Bearer ***');
});

test.each([
  ['fewer vectors than texts', gives([{ index: 0, embedding: [1] }]), /gave 1 vectors for 2 texts/],
  ['no vectors', gives('none'), /gave no vectors\. Check that test-embedding is a model for embeddings/],
  ['vectors with holes', gives([{ embedding: [1] }, { embedding: [null] }]), /gave 1 vectors for 2 texts/],
  ['different sizes', gives([{ embedding: [1] }, { embedding: [1, 2] }]), /different sizes/],
  ['a web page', fails(200, {}, '<html>'), /does not answer with JSON/],
  ['a redirect', fails(307, { location: 'https://example.com' }), /redirects \(HTTP 307\)\. Write the final URL/],
])('%s is an error', async (_, trouble, message) => {
  server.troubles.push(trouble);
  await expect(model().embed(['a', 'b'])).rejects.toThrow(message);
});

test('never mixes sizes', async () => {
  server.troubles.push(gives([{ embedding: [1, 0] }]));
  await expect(model({ dimensions: 16 }).embed(['a'])).rejects.toThrow(
    /2 dimensions instead of 16\. Write dimensions: 2/,
  );
  const asked = model();
  await asked.identify();
  server.troubles.push(gives([{ embedding: [1, 0] }]));
  await expect(asked.embed(['a'])).rejects.toThrow(/Restart Sluice/);
});

test('a server that does not answer in time is unavailable, and a cancelled request ends at once', async () => {
  const hang: Trouble = () => true;
  server.troubles.push(hang, hang, hang);
  const slow = model({}, { ...quick, timeoutMs: 50 });
  await expect(slow.embed(['a'])).rejects.toThrow(/cannot be reached: no answer within 0\.05 s/);
  server.troubles.push(hang);
  const stop = new AbortController();
  const embedding = model({}, { ...quick, timeoutMs: 60_000 }).embed(['a'], { signal: stop.signal });
  await expect.poll(() => server.asked.length).toBe(4);
  stop.abort(new Error('enough'));
  await expect(embedding).rejects.toThrow('enough');
});

test('who waits does not ask again and again while the API is away; long work does', async () => {
  const asked = model();
  server.troubles.push(...Array.from({ length: 3 }, () => fails(503)));
  await expect(asked.embed(['a'])).rejects.toThrow('HTTP 503');
  await expect(asked.identify()).rejects.toThrow('HTTP 503');
  expect(server.asked).toHaveLength(3);
  const many = Array.from({ length: 9 }, (_, at) => `text ${at}`);
  expect(await asked.embed(many)).toHaveLength(9);
  expect(await asked.embed(['a'])).toHaveLength(1);
});

test('after a while it is asked again', async () => {
  const asked = model({}, { ...quick, awayMs: 1 });
  server.troubles.push(...Array.from({ length: 3 }, () => fails(503)));
  await expect(asked.embed(['a'])).rejects.toThrow('HTTP 503');
  await expect.poll(() => asked.embed(['a'])).toHaveLength(1);
});

test('who waits does not wait for long', async () => {
  const hang: Trouble = () => true;
  server.troubles.push(hang, hang, hang);
  const slow = model({}, { timeoutMs: 60_000, retry: quick.retry, withinMs: 100 });
  await expect(slow.identify()).rejects.toThrow(/no answer within 0\.\d+ s/);
  expect(server.asked).toHaveLength(1);
});

test('where nothing listens it is unavailable', async () => {
  await expect(model({ url: 'http://127.0.0.1:9/v1' }).identify()).rejects.toMatchObject({ code: 'unavailable' });
});
