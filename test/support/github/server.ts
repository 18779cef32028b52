/** The stand-in's HTTP server, and the host of signed URLs beside it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { accounts } from './accounts.ts';
import { commits } from './commits.ts';
import { contents } from './contents.ts';
import { contractOf } from './contract.ts';
import { readDescription } from './description.ts';
import { git } from './git.ts';
import { repositories } from './repositories.ts';
import { search } from './search.ts';
import { Refusal, type Reply, type Topic } from './topic.ts';
import { workTopics } from './work-topics.ts';
import { fullName, type World } from './world.ts';

/** A file a topic. Add yours here. */
const topics: readonly Topic[] = [accounts, repositories, commits, contents, git, search, ...workTopics];

/** What the stand-in does instead of answering as usual; undefined if it answers as usual. */
export type Fault = (request: {
  readonly method: string;
  readonly path: string;
  readonly accept: string;
}) => Reply | 'hang' | 'cut' | undefined;

export interface GithubServer extends AsyncDisposable {
  readonly world: World;
  /** Where the API is, as `modules.github.url` takes it. */
  readonly url: string;
  /** How many requests the host of signed URLs got. */
  readonly signedRequests: number;
  /** Every request so far, such as `GET /repos/acme/shop?page=2`. */
  readonly requests: string[];
  fault: Fault | undefined;
  /** After each test: throws what broke the description, and ends the fault. */
  settle(): void;
}

const BASE = '/api/v3';
/** Reading and compiling the description takes a moment: once for all stand-ins of a suite. */
let contract: ReturnType<typeof contractOf> | undefined;

export async function startServer(): Promise<GithubServer> {
  const checked = (contract ??= contractOf(readDescription()));
  await using stack = new AsyncDisposableStack();
  const files = new Map<string, Buffer>();
  /** What broke GitHub's description, in requests and in answers of the stand-in. */
  const violations: string[] = [];
  let signedRequests = 0;
  const storage = await listening((request, response) => {
    signedRequests += 1;
    if (request.headers.authorization !== undefined) violations.push('a signed URL got the token');
    const found = files.get(String(request.url));
    response.writeHead(found ? 200 : 404, {
      'content-type': 'application/octet-stream',
      'content-length': found?.length ?? 0,
    });
    response.end(found);
  });
  stack.use(storage);

  let minutes = 0;
  const world: World = {
    base: '',
    tokens: new Map(),
    repositories: [],
    formerNames: new Map(),
    files,
    signed(bytes) {
      const path = `/signed/${randomUUID()}?sig=secret-signature`;
      files.set(path, bytes);
      return `${storage.url}${path}`;
    },
    find: (name) => world.repositories.find((one) => fullName(one).toLowerCase() === name.toLowerCase()),
    now: () => new Date(Date.UTC(2026, 0, 1, 0, minutes++)).toISOString().replace('.000', ''),
  };
  const handlers = new Map(topics.flatMap((topic) => Object.entries(topic(world))));
  const requests: string[] = [];

  async function answer(request: IncomingMessage): Promise<Reply | 'hang' | 'cut'> {
    const method = String(request.method);
    const { pathname, search, searchParams: query } = new URL(String(request.url), world.base);
    const path = pathname.slice(BASE.length);
    requests.push(`${method} ${path}${search}`);
    const body = await bodyOf(request);
    const faulty = fault.current?.({ method, path, accept: String(request.headers.accept) });
    if (faulty !== undefined) return faulty;
    if (!pathname.startsWith(BASE)) return new Refusal(404, 'Not Found').reply;
    const matched = checked.match(method, path);
    const handler = matched && handlers.get(matched.key);
    if (!matched || !handler) {
      violations.push(`${method} ${path} is ${matched ? 'not written in the stand-in' : 'not described'}`);
      return new Refusal(404, 'Not Found').reply;
    }
    const problems = checked.requestProblems(matched, { method, path, query, headers: request.headers, body });
    violations.push(...problems);
    if (problems.length > 0) return new Refusal(422, problems.join('; ')).reply;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined && !world.tokens.has(token)) return new Refusal(401, 'Bad credentials').reply;
    const login = token === undefined ? undefined : world.tokens.get(token)?.login;
    const reply = answered(() =>
      handler({ method, path, query, headers: request.headers, body, params: matched.params, login }),
    );
    // Refusals that every operation may give are not described for each.
    const { status = 200, type = 'application/json' } = reply;
    if (status < 300) violations.push(...checked.responseProblems(matched, status, type, reply.body));
    return reply;
  }

  const api = await listening((request, response) => {
    answer(request).then(
      (reply) => send(response, reply),
      (error: unknown) => {
        violations.push(String(error));
        send(response, { status: 500, body: { message: String(error) } });
      },
    );
  });
  stack.use(api);
  world.base = `${api.url}${BASE}`;
  const fault: { current: Fault | undefined } = { current: undefined };
  const owned = stack.move();
  return {
    world,
    url: world.base,
    requests,
    get signedRequests() {
      return signedRequests;
    },
    settle() {
      fault.current = undefined;
      const found = violations.splice(0);
      if (found.length > 0) throw new Error(found.join('\n'));
    },
    get fault() {
      return fault.current;
    },
    set fault(given) {
      fault.current = given;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function answered(handle: () => Reply): Reply {
  try {
    return handle();
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
}

function send(response: ServerResponse, reply: Reply | 'hang' | 'cut'): void {
  if (reply === 'hang') return;
  if (reply === 'cut') {
    response.destroy();
    return;
  }
  const { status = 200, body, raw, type = 'application/json', headers } = reply;
  const bytes = raw ?? (body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)));
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': bytes.length,
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '4988',
    'x-ratelimit-reset': '1900000000',
    ...headers,
  });
  response.end(bytes);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

async function listening(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => {});
    },
  };
}
