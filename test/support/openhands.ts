/**
 * An OpenHands of the suite, written from the V1 API of docs.openhands.dev (openapi/openhands-cloud.json and the guide to the
 * cloud API, both of OpenHands/docs) and from openhands/app_server of OpenHands. It keeps its state, and refuses what the API
 * does not have: other paths, methods, keys and bodies.
 *
 * TEST_OPENHANDS_URL with TEST_OPENHANDS_API_KEY names a real one. The suite only reads from it.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { Json } from '../integration/harness.ts';

const {
  TEST_OPENHANDS_URL: url,
  TEST_OPENHANDS_API_KEY: apiKey,
  // oxlint-disable-next-line no-process-env -- a real service is named by the environment
} = process.env;

/** The section for a real OpenHands, if there is one. */
export const realOpenhands: Json | undefined = url === undefined ? undefined : { url, ...(apiKey && { apiKey }) };

export const OPENHANDS_KEY = 'sk-oh-secret-key';

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Record<string, string>;
}

class Refused extends Error {
  readonly answer: Answer;
  constructor(status: number, detail: unknown) {
    super(String(detail));
    this.answer = { status, body: { detail } };
  }
}

interface Conversation {
  readonly id: string;
  title: string;
  selected_repository: string | null;
  selected_branch: string | null;
  sandbox_id: string;
  sandbox_status: string;
  execution_status: string | null;
  created_at: string;
  /** How often it is looked at until its agent is done; -1 for never. */
  looks: number;
  events: Json[];
  files: Map<string, string>;
  originals: Map<string, string>;
}

export interface FakeOpenhands extends AsyncDisposable {
  readonly url: string;
  /** `METHOD path` of every request. */
  readonly requests: string[];
  readonly conversations: Map<string, Conversation>;
  add(given?: Partial<Conversation>): Conversation;
  /** What the next requests get instead of an answer. */
  readonly faults: Answer[];
}

const UUID = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;

export async function startOpenhands(): Promise<FakeOpenhands> {
  const requests: string[] = [];
  const faults: Answer[] = [];
  const conversations = new Map<string, Conversation>();
  const tasks = new Map<string, { body: Json; polls: number; conversation?: string }>();
  let clock = Date.UTC(2026, 0, 1);
  const now = () => new Date((clock += 1000)).toISOString();

  function add(given: Partial<Conversation> = {}): Conversation {
    const made: Conversation = {
      id: randomUUID(),
      title: 'A task',
      selected_repository: null,
      selected_branch: null,
      sandbox_id: `sandbox-${conversations.size}`,
      sandbox_status: 'RUNNING',
      execution_status: 'finished',
      created_at: now(),
      looks: -1,
      events: [],
      files: new Map(),
      originals: new Map(),
      ...given,
    };
    conversations.set(made.id, made);
    return made;
  }

  const event = (kind: string, source: string, more: Json): Json => ({
    id: randomUUID(),
    timestamp: now(),
    source,
    kind,
    ...more,
  });
  const message = (source: string, text: string) =>
    event('MessageEvent', source, {
      llm_message: { role: source === 'user' ? 'user' : 'assistant', content: [{ type: 'text', text }] },
    });

  /** The agent works: it says what it does, and ends. */
  function work(one: Conversation, task: string): void {
    one.events.push(
      message('user', task),
      event('ConversationStateUpdateEvent', 'environment', { key: 'execution_status', value: 'running' }),
      event('ActionEvent', 'agent', {
        tool_name: 'terminal',
        tool_call_id: 'c1',
        thought: [{ type: 'text', text: 'I look around.' }],
        action: { kind: 'TerminalAction', command: 'ls -la' },
      }),
      event('ObservationEvent', 'environment', {
        tool_name: 'terminal',
        tool_call_id: 'c1',
        observation: {
          kind: 'TerminalObservation',
          content: [{ type: 'text', text: task === 'talk a lot' ? 'a "line"\n'.repeat(3000) : 'README.md' }],
          exit_code: 0,
        },
      }),
    );
    Object.assign(one, { execution_status: 'running', looks: task === 'work forever' ? -1 : 2 });
  }

  function shown(one: Conversation): Json {
    const { looks: _, events: __, files: ___, originals: ____, ...rest } = one;
    return {
      ...rest,
      created_by_user_id: null,
      updated_at: rest.created_at,
      execution_status: rest.sandbox_status === 'RUNNING' ? rest.execution_status : null,
      session_api_key: 'session-secret-key',
      conversation_url: 'http://sandbox.local',
      llm_model: 'anthropic/claude',
      metrics: { accumulated_cost: 0.123456 },
    };
  }

  /** Looking makes time pass. */
  function look(one: Conversation): Json {
    if (one.looks > 0 && (one.looks -= 1) === 0) {
      one.execution_status = 'finished';
      one.events.push(
        event('ActionEvent', 'agent', { tool_name: 'finish', action: { kind: 'FinishAction', message: 'All done.' } }),
      );
      one.files.set('README.md', 'Hello\nWorld\n');
      one.originals.set('README.md', 'Hello\n');
    }
    if (one.sandbox_status === 'STARTING') one.sandbox_status = 'RUNNING';
    return shown(one);
  }

  const find = (id: string): Conversation => {
    if (!UUID.test(id))
      throw new Refused(422, [{ loc: ['path', 'conversation_id'], msg: 'Input should be a valid UUID' }]);
    const found = conversations.get(id);
    if (!found) throw new Refused(404, 'Conversation not found');
    return found;
  };

  const running = (id: string): Conversation => {
    const found = find(id);
    if (found.sandbox_status !== 'RUNNING')
      throw new Refused(409, 'Sandbox is paused; resume it before reading git state.');
    return found;
  };

  function paged(all: readonly unknown[], query: URLSearchParams): Answer {
    const limit = Number(query.get('limit') ?? 100);
    if (!(limit > 0 && limit <= 100))
      throw new Refused(422, [{ loc: ['query', 'limit'], msg: 'Input should be less than or equal to 100' }]);
    const from = Number(query.get('page_id') ?? 0);
    return {
      body: {
        items: all.slice(from, from + limit),
        next_page_id: from + limit < all.length ? String(from + limit) : null,
      },
    };
  }

  const projectOf = ({ selected_repository }: Conversation) =>
    ['/workspace/project', ...(selected_repository ? [selected_repository.split('/').at(-1)] : [])].join('/');

  function needMessage(given: unknown): string {
    const { role, content } = (given ?? {}) as { role?: unknown; content?: { type?: string; text?: string }[] };
    const [first] = content ?? [];
    if (role !== 'user' || first?.type !== 'text' || typeof first.text !== 'string')
      throw new Refused(422, [{ loc: ['body', 'content'], msg: 'Field required' }]);
    return first.text;
  }

  /** A start goes through its states, one each time it is looked at. */
  function startTask(id: string): Json | null {
    const task = tasks.get(id);
    if (!task) return null;
    const about = { id, created_by_user_id: null, request: task.body };
    task.polls += 1;
    if (task.polls < 2) return { ...about, status: 'WAITING_FOR_SANDBOX' };
    const text = needMessage(task.body.initial_message);
    if (text === 'impossible') return { ...about, status: 'ERROR', detail: 'Repository not found' };
    if (task.conversation === undefined) {
      const { selected_repository = null, selected_branch = null, title = text } = task.body as Partial<Conversation>;
      const made = add({ title, selected_repository, selected_branch });
      task.conversation = made.id;
      work(made, text);
    }
    return { ...about, status: 'READY', app_conversation_id: task.conversation, sandbox_id: 'sandbox' };
  }

  type Handler = (found: readonly string[], query: URLSearchParams, body: Json) => Answer;
  const routes: readonly (readonly [method: string, path: RegExp, handler: Handler])[] = [
    ['GET', /^\/web-client\/config$/, () => ({ body: { app_mode: 'oss', feature_flags: {} } })],
    ['GET', /^\/app-conversations\/count$/, () => ({ body: conversations.size })],
    [
      'GET',
      /^\/app-conversations\/search$/,
      (_, query) =>
        paged(
          [...conversations.values()]
            .toReversed()
            .filter(({ title }) => title.includes(query.get('title__contains') ?? ''))
            .map(shown),
          query,
        ),
    ],
    ['GET', /^\/app-conversations\/start-tasks$/, (_, query) => ({ body: query.getAll('ids').map(startTask) })],
    [
      'GET',
      /^\/app-conversations$/,
      (_, query) => {
        const ids = query.getAll('ids');
        if (ids.length === 0 || !ids.every((id) => UUID.test(id)))
          throw new Refused(422, [{ loc: ['query', 'ids'], msg: 'Field required' }]);
        return { body: ids.map((id) => conversations.get(id)).map((one) => (one ? look(one) : null)) };
      },
    ],
    [
      'POST',
      /^\/app-conversations$/,
      (_, __, body) => {
        needMessage(body.initial_message);
        const id = randomUUID();
        tasks.set(id, { body, polls: 0 });
        return { body: { id, created_by_user_id: null, status: 'WORKING', request: body } };
      },
    ],
    [
      'POST',
      /^\/app-conversations\/([^/]+)\/send-message$/,
      ([id = ''], _, body) => {
        const found = running(id);
        work(found, needMessage(body));
        return { body: { success: true, sandbox_status: 'RUNNING', message: null } };
      },
    ],
    [
      'DELETE',
      /^\/app-conversations\/([^/]+)$/,
      ([id = '']) => (conversations.delete(find(id).id), { body: { success: true } }),
    ],
    [
      'GET',
      /^\/app-conversations\/([^/]+)\/files$/,
      ([id = '']) => ({ body: [...running(id).files.keys()].map((path) => `./${path}`) }),
    ],
    [
      'GET',
      /^\/app-conversations\/([^/]+)\/file$/,
      ([id = ''], query) => {
        const found = conversations.get(id);
        const path = (query.get('file_path') ?? '').replace(`${found ? projectOf(found) : ''}/`, '');
        return { body: found?.sandbox_status === 'RUNNING' ? (found.files.get(path) ?? '') : '' };
      },
    ],
    [
      'GET',
      /^\/app-conversations\/([^/]+)\/git\/changes$/,
      ([id = ''], query) => {
        const found = running(id);
        if (query.get('path') !== projectOf(found)) throw new Refused(502, 'Agent server error: 500');
        return {
          body: [...found.files]
            .filter(([path, text]) => found.originals.get(path) !== text)
            .map(([path]) => ({ path, status: found.originals.has(path) ? 'UPDATED' : 'ADDED' })),
        };
      },
    ],
    [
      'GET',
      /^\/app-conversations\/([^/]+)\/git\/diff$/,
      ([id = ''], query) => {
        const found = running(id);
        const path = (query.get('path') ?? '').replace(`${projectOf(found)}/`, '');
        return { body: { modified: found.files.get(path) ?? null, original: found.originals.get(path) ?? null } };
      },
    ],
    [
      'GET',
      /^\/conversation\/([^/]+)\/events\/search$/,
      ([id = ''], query) => {
        const order = query.get('sort_order') ?? 'TIMESTAMP';
        if (!['TIMESTAMP', 'TIMESTAMP_DESC'].includes(order))
          throw new Refused(422, [{ loc: ['query', 'sort_order'], msg: 'Unknown' }]);
        const { events } = find(id);
        return paged(order === 'TIMESTAMP' ? events : events.toReversed(), query);
      },
    ],
    [
      'GET',
      /^\/conversation\/([^/]+)\/events$/,
      ([id = ''], query) => ({
        body: query.getAll('id').map((one) => find(id).events.find((event) => event.id === one) ?? null),
      }),
    ],
    [
      'POST',
      /^\/sandboxes\/([^/]+)\/(pause|resume)$/,
      ([sandbox = '', action]) => {
        const found = [...conversations.values()].filter(({ sandbox_id }) => sandbox_id === sandbox);
        if (found.length === 0) throw new Refused(404, 'Sandbox not found');
        for (const one of found) one.sandbox_status = action === 'pause' ? 'PAUSED' : 'STARTING';
        return { body: { success: true } };
      },
    ],
  ];

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here');
    const sent = await readText(request);
    const fault = faults.shift();
    if (fault) return fault;
    // The web page answers whatever is not the API.
    if (!pathname.startsWith('/api/')) return { raw: '<html>OpenHands</html>' };
    const { authorization, 'x-session-api-key': sessionKey } = request.headers;
    if (authorization !== `Bearer ${OPENHANDS_KEY}` || sessionKey !== OPENHANDS_KEY)
      return { status: 401, body: { error: 'User must be authenticated' } };
    if (sent !== '' && request.headers['content-type'] !== 'application/json') throw new Refused(422, 'JSON, please');
    const path = pathname.replace(/^\/api\/v1/, '');
    for (const [method, pattern, handler] of routes) {
      const found = method === request.method ? pattern.exec(path) : null;
      if (found)
        return handler(
          found.slice(1).map(decodeURIComponent),
          searchParams,
          (sent === '' ? {} : JSON.parse(sent)) as Json,
        );
    }
    throw new Refused(404, 'Not Found');
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(`${request.method} ${request.url}`);
    const given = await answer(request).catch((error: unknown): Answer => {
      if (error instanceof Refused) return error.answer;
      return { status: 500, body: { detail: String(error) } };
    });
    const { status = 200, body, raw, headers } = given;
    response.writeHead(status, { 'content-type': raw === undefined ? 'application/json' : 'text/html', ...headers });
    response.end(raw ?? (body === undefined ? '' : JSON.stringify(body)));
  }

  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    conversations,
    add,
    faults,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
