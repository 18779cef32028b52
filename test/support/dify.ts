/**
 * A Dify of the suite, written from the service API of docs.dify.ai (openapi_service.json of langgenius/dify-docs, the guides
 * on streaming and errors) and from api/controllers/service_api of langgenius/dify. It keeps its state, and refuses what the
 * API does not have: other paths, methods, keys and bodies.
 *
 * TEST_DIFY_URL with TEST_DIFY_API_KEY (of a chatbot) or TEST_DIFY_DATASET_KEY, or both, names a real one.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { Json } from '../integration/harness.ts';

const {
  TEST_DIFY_URL: url,
  TEST_DIFY_API_KEY: apiKey,
  TEST_DIFY_DATASET_KEY: datasetKey,
  // oxlint-disable-next-line no-process-env -- a real service is named by the environment
} = process.env;

/** The section for a real Dify, if there is one. */
export const realDify: Json | undefined =
  url === undefined ? undefined : { url, ...(apiKey && { apiKey }), ...(datasetKey && { datasetKey }) };

type Mode = 'chat' | 'agent-chat' | 'advanced-chat' | 'completion' | 'workflow';

/** The apps by their keys. */
const apps: ReadonlyMap<string, Mode> = new Map([
  ['app-chat-key', 'chat'],
  ['app-agent-key', 'agent-chat'],
  ['app-flow-key', 'advanced-chat'],
  ['app-text-key', 'completion'],
  ['app-work-key', 'workflow'],
]);

export const difyKeys = {
  apiKey: 'app-chat-key',
  apps: { agent: 'app-agent-key', flow: 'app-flow-key', text: 'app-text-key', work: 'app-work-key' },
  datasetKey: 'dataset-key',
};

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Text that is not JSON. */
  readonly raw?: string;
  /** Writes the answer itself. */
  readonly write?: (response: ServerResponse) => Promise<void>;
}

class Refused extends Error {
  readonly answer: Answer;
  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.answer = { status, body: { code, message, status }, headers };
  }
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json;
}

interface Document {
  id: string;
  name: string;
  text: string;
  batch: string;
  polls: number;
}

interface Dataset {
  id: string;
  name: string;
  description: string;
  indexing_technique: string | null;
  documents: Map<string, Document>;
}

interface Conversation {
  id: string;
  name: string;
  user: string;
  created_at: number;
  messages: { id: string; query: string; answer: string; feedback: { rating: string } | null; created_at: number }[];
}

export interface FakeDify extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  /** `METHOD path` of every request. */
  readonly requests: string[];
  /** Tasks that were stopped. */
  readonly stopped: string[];
  /** How many streams are open now, and how many were at most. */
  readonly streams: { open: number; most: number };
  readonly datasets: Map<string, Dataset>;
  addDataset(name: string, documents?: readonly string[]): Dataset;
  /** What the next requests get instead of an answer. */
  readonly faults: Answer[];
  /** Ends all streams that wait. */
  release(): void;
}

const NOW = 1_741_267_200;
const MB = 'x'.repeat(1024 * 1024);

export async function startDify(): Promise<FakeDify> {
  const requests: string[] = [];
  const stopped: string[] = [];
  const faults: Answer[] = [];
  const streams = { open: 0, most: 0 };
  const conversations = new Map<string, Conversation>();
  const datasets = new Map<string, Dataset>();
  const runs = new Map<string, Json>();
  const waiting = new Map<string, () => void>();
  const seen = new Map<string, number>();

  function addDataset(name: string, documents: readonly string[] = []): Dataset {
    const made: Dataset = {
      id: randomUUID(),
      name,
      description: `About ${name}`,
      indexing_technique: documents.length > 0 ? 'high_quality' : null,
      documents: new Map(),
    };
    for (const text of documents) addDocument(made, text.slice(0, 20), text);
    datasets.set(made.id, made);
    return made;
  }

  function addDocument(dataset: Dataset, name: string, text: string): Document {
    const made = { id: randomUUID(), name, text, batch: `batch${dataset.documents.size}`, polls: 0 };
    dataset.documents.set(made.id, made);
    return made;
  }

  const shownDataset = ({ documents, ...rest }: Dataset) => ({
    ...rest,
    provider: 'vendor',
    permission: 'only_me',
    document_count: documents.size,
    word_count: [...documents.values()].reduce((sum, { text }) => sum + text.length, 0),
    app_count: 1,
    created_at: NOW,
    updated_at: NOW,
    embedding_model: 'text-embedding-3-small',
    embedding_available: true,
    retrieval_model_dict: { search_method: 'semantic_search', reranking_enable: false, top_k: 3 },
  });

  const shownDocument = ({ id, name, text, polls }: Document) => ({
    id,
    name,
    position: 1,
    indexing_status: polls > 1 ? 'completed' : 'indexing',
    error: null,
    enabled: true,
    archived: false,
    word_count: text.length,
    tokens: text.length,
    hit_count: 0,
    created_at: NOW,
  });

  const segmentsOf = ({ text }: Document) =>
    text.split('\n\n').map((content, n) => ({ id: `segment-${n}`, content, position: n + 1 }));

  const needUser = (user: unknown): string => {
    if (typeof user === 'string' && user !== '') return user;
    throw new Refused(400, 'invalid_param', 'Arg user must be provided.');
  };

  function needInputs({ inputs, response_mode, files }: Json, mode: Mode): Json {
    if (typeof inputs !== 'object' || inputs === null) throw new Refused(400, 'invalid_param', 'inputs is required.');
    if (response_mode !== 'streaming') throw new Error(`The suite expects streaming, not ${String(response_mode)}`);
    for (const file of (files ?? []) as Json[])
      if (file.transfer_method !== 'remote_url' || typeof file.url !== 'string' || typeof file.type !== 'string')
        throw new Refused(400, 'invalid_param', 'Invalid file.');
    if (mode === 'workflow' && (inputs as Json).text === undefined)
      throw new Refused(400, 'invalid_param', 'text is required in input form');
    return inputs as Json;
  }

  /** Streams what the generator yields, with pings as Dify sends them. */
  const stream = (events: (response: ServerResponse) => AsyncIterable<Json>): Answer => ({
    async write(response) {
      streams.open += 1;
      streams.most = Math.max(streams.most, streams.open);
      try {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        response.write('event: ping\n\n');
        for await (const event of events(response)) response.write(`data: ${JSON.stringify(event)}\n\n`);
        response.end();
      } finally {
        streams.open -= 1;
      }
    },
  });

  /** Until the task is stopped, the client leaves, or the test goes on. */
  const held = async (task: string, response: ServerResponse) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(task, resolve);
    response.once('close', resolve);
    await promise;
    waiting.delete(task);
  };

  const usage = {
    prompt_tokens: 4,
    completion_tokens: 6,
    total_tokens: 10,
    total_price: '0.0013',
    currency: 'USD',
    latency: 1.25,
  };
  const failure = {
    event: 'error',
    status: 400,
    code: 'provider_quota_exceeded',
    message: 'Your quota has been exhausted.',
  };

  function generate(mode: Mode, body: Json): Answer {
    const user = needUser(body.user);
    const inputs = needInputs(body, mode);
    const said = [body.query, inputs.text].find((one) => typeof one === 'string') ?? '';
    if (said === 'busy' && (seen.get('busy') ?? 0) === 0) {
      seen.set('busy', 1);
      throw new Refused(429, 'too_many_requests', 'Too many requests.', { 'retry-after': '0' });
    }
    if (said === 'quota') throw new Refused(429, 'rate_limit_error', 'Rate limit exceeded.');
    if (said === 'html') return { raw: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } };
    const task_id = randomUUID();
    const message_id = randomUUID();
    const answer =
      said === 'long' ? Array.from({ length: 4000 }, (_, n) => `line "${n}"`).join('\n') : `You said ${said}`;
    if (mode === 'workflow') return stream((response) => workflow({ task_id, said, inputs }, response));
    let conversation: Conversation | undefined;
    if (mode !== 'completion') {
      const given = typeof body.conversation_id === 'string' ? body.conversation_id : undefined;
      conversation = given === undefined ? undefined : conversations.get(given);
      if (given !== undefined && conversation?.user !== user)
        throw new Refused(404, 'not_found', 'Conversation Not Exists.');
      conversation ??= {
        id: randomUUID(),
        name: said.slice(0, 40),
        user,
        created_at: NOW + conversations.size,
        messages: [],
      };
      conversations.set(conversation.id, conversation);
      conversation.messages.push({ id: message_id, query: said, answer, feedback: null, created_at: NOW });
    }
    const about = { task_id, message_id, ...(conversation && { conversation_id: conversation.id }), created_at: NOW };
    const event = mode === 'agent-chat' ? 'agent_message' : 'message';
    return stream(async function* (response) {
      if (mode === 'agent-chat')
        yield { ...about, event: 'agent_thought', position: 1, thought: 'Hm', tool: 'search', tool_input: '{}' };
      const run = { ...about, workflow_run_id: 'run-of-a-chat' };
      if (mode === 'advanced-chat') {
        yield { ...run, event: 'workflow_started', data: { id: 'run-of-a-chat' } };
        yield { ...run, event: 'node_started', data: { node_id: 'n1', node_type: 'llm', title: 'Think', index: 1 } };
      }
      yield { ...about, event, answer: answer.slice(0, 5) };
      if (said === 'slow' || said === 'break') await held(task_id, response);
      if (said === 'break') return void response.destroy();
      if (said === 'cut off') return;
      if (said === 'garbage') return void response.write('data: {"event": \n\n');
      if (said === 'fail') {
        if (mode === 'advanced-chat') {
          yield { ...run, event: 'node_finished', data: { title: 'Think', status: 'failed', error: 'No such model' } };
          yield {
            ...run,
            event: 'workflow_finished',
            data: { id: 'run-of-a-chat', status: 'failed', error: 'No such model' },
          };
        }
        return yield { ...failure, message_id, conversation_id: conversation?.id };
      }
      if (said === 'huge')
        for (let n = 0; n < 50 && !response.destroyed; n += 1) {
          yield { ...about, event, answer: MB };
          if (response.writableNeedDrain) await Promise.race([once(response, 'drain'), once(response, 'close')]);
        }
      yield { ...about, event, answer: answer.slice(5) };
      const retriever_resources = [{ position: 1, dataset_name: 'Handbook', document_name: 'returns.md', score: 0.9 }];
      yield { ...about, event: 'message_end', id: message_id, metadata: { usage, retriever_resources } };
      if (mode === 'advanced-chat')
        yield { ...run, event: 'workflow_finished', data: { id: 'run-of-a-chat', status: 'succeeded' } };
    });
  }

  async function* workflow(
    { task_id, said, inputs }: { task_id: string; said: string; inputs: Json },
    response: ServerResponse,
  ): AsyncGenerator<Json> {
    const id = randomUUID();
    const about = { task_id, workflow_run_id: id };
    const result: Json = {
      id,
      workflow_id: 'w',
      status: 'running',
      inputs: JSON.stringify(inputs),
      outputs: {},
      error: null,
      total_steps: 2,
      total_tokens: 7,
      created_at: NOW + runs.size,
      elapsed_time: 1.5,
    };
    runs.set(id, result);
    yield { ...about, event: 'workflow_started', data: { id, workflow_id: 'w', inputs, created_at: NOW } };
    yield {
      ...about,
      event: 'node_started',
      data: { id: 'x', node_id: 'n1', node_type: 'code', title: 'Shout', index: 1 },
    };
    if (said === 'slow' || said === 'break') await held(task_id, response);
    if (said === 'break') return void response.destroy();
    if (said === 'wait') {
      Object.assign(result, { status: 'paused' });
      yield {
        ...about,
        event: 'human_input_required',
        data: { form_token: 't', node_title: 'Approval', form_content: 'May I?' },
      };
      return yield { ...about, event: 'workflow_paused', data: { workflow_run_id: id, status: 'paused' } };
    }
    const failed = said === 'fail' && { status: 'failed', error: 'division by zero' };
    yield { ...about, event: 'node_finished', data: { node_id: 'n1', title: 'Shout', status: 'succeeded', ...failed } };
    const outputs = { text: said === 'long' ? 'Long "line"\n'.repeat(2000) : said.toUpperCase(), length: said.length };
    Object.assign(result, { status: 'succeeded', outputs, finished_at: NOW }, failed);
    yield { ...about, event: 'workflow_finished', data: { ...result, ...(failed && { outputs: null }) } };
  }

  function stop(path: string, { body }: Request): Answer {
    needUser(body.user);
    stopped.push(path);
    waiting.get(path.split('/').at(-2) ?? '')?.();
    return { body: { result: 'success' } };
  }

  /** By pages with numbers, at most 100 a page. */
  function numbered(all: readonly unknown[], query: URLSearchParams): Answer {
    const page = Number(query.get('page') ?? 1);
    const limit = Number(query.get('limit') ?? 20);
    if (!(page >= 1 && limit >= 1 && limit <= 100)) throw new Refused(400, 'invalid_param', 'Invalid page or limit.');
    const data = all.slice((page - 1) * limit, page * limit);
    return { body: { data, has_more: page * limit < all.length, limit, total: all.length, page } };
  }

  function appAnswer(mode: Mode, request: Request): Answer {
    const { method, path, query, body } = request;
    const is = (verb: string, pattern: RegExp) => method === verb && pattern.test(path);
    const isChat = mode !== 'completion' && mode !== 'workflow';
    const needChat = () => {
      if (!isChat) throw new Refused(400, 'not_chat_app', 'Please check if your app mode matches the right API route.');
    };
    const needWorkflow = () => {
      if (mode !== 'workflow')
        throw new Refused(400, 'not_workflow_app', 'Please check if your app mode matches the right API route.');
    };
    if (is('GET', /^\/info$/))
      return { body: { name: `The ${mode} app`, description: 'Of the suite', tags: [], mode, author_name: 'Ann' } };
    if (is('GET', /^\/parameters$/))
      return {
        body: {
          opening_statement: 'Hello!',
          suggested_questions: ['Why?'],
          user_input_form: [
            {
              'text-input': {
                label: 'Text',
                variable: 'text',
                required: mode === 'workflow',
                max_length: 48,
                default: '',
              },
            },
            { select: { label: 'tone', variable: 'tone', required: false, options: ['warm', 'cold'], default: '' } },
          ],
          file_upload: { image: { enabled: false } },
        },
      };
    if (is('POST', /^\/chat-messages$/)) {
      needChat();
      if (typeof body.query !== 'string') throw new Refused(400, 'invalid_param', 'query is required.');
      return generate(mode, body);
    }
    if (is('POST', /^\/completion-messages$/)) {
      if (mode !== 'completion')
        throw new Refused(400, 'app_unavailable', 'App unavailable, please check your app configurations.');
      return generate(mode, body);
    }
    if (is('POST', /^\/workflows\/run$/)) {
      needWorkflow();
      return generate(mode, body);
    }
    if (is('POST', /^\/chat-messages\/[^/]+\/stop$/)) return (needChat(), stop(path, request));
    if (is('POST', /^\/completion-messages\/[^/]+\/stop$/)) return stop(path, request);
    if (is('POST', /^\/workflows\/tasks\/[^/]+\/stop$/)) return (needWorkflow(), stop(path, request));
    if (is('GET', /^\/workflows\/run\/[^/]+$/)) {
      needWorkflow();
      const found = runs.get(path.split('/').at(-1) ?? '');
      if (!found) throw new Refused(404, 'not_found', 'Workflow run not found.');
      return { body: found };
    }
    if (is('GET', /^\/workflows\/logs$/)) {
      const status = query.get('status');
      if (status !== null && !['succeeded', 'failed', 'stopped'].includes(status))
        throw new Refused(400, 'invalid_param', 'status');
      const all = [...runs.values()].filter((run) => status === null || run.status === status).toReversed();
      return numbered(
        all.map((run) => ({ id: `log-${String(run.id)}`, workflow_run: run, created_from: 'service-api' })),
        query,
      );
    }
    if (is('GET', /^\/conversations$/)) {
      needChat();
      const all = [...conversations.values()].filter(({ user }) => user === query.get('user')).toReversed();
      const from = query.has('last_id') ? all.findIndex(({ id }) => id === query.get('last_id')) + 1 : 0;
      const limit = Number(query.get('limit') ?? 20);
      return {
        body: {
          limit,
          has_more: from + limit < all.length,
          data: all
            .slice(from, from + limit)
            .map(({ messages: _, user: __, ...rest }) => ({ ...rest, status: 'normal', inputs: {} })),
        },
      };
    }
    if (is('GET', /^\/messages$/)) {
      needChat();
      const found = conversations.get(query.get('conversation_id') ?? '');
      if (found?.user !== query.get('user')) throw new Refused(404, 'not_found', 'Conversation Not Exists.');
      const all = found?.messages ?? [];
      const end = query.has('first_id') ? all.findIndex(({ id }) => id === query.get('first_id')) : all.length;
      const limit = Number(query.get('limit') ?? 20);
      const from = Math.max(0, end - limit);
      return { body: { limit, has_more: from > 0, data: all.slice(from, end) } };
    }
    const [, conversationId, action] = /^\/conversations\/([^/]+)(\/name)?$/.exec(path) ?? [];
    if (conversationId !== undefined) {
      needChat();
      const found = conversations.get(conversationId);
      if (!found || found.user !== needUser(body.user)) throw new Refused(404, 'not_found', 'Conversation Not Exists.');
      if (method === 'DELETE' && action === undefined) return (conversations.delete(conversationId), { status: 204 });
      if (method === 'POST' && action !== undefined) {
        if (body.auto_generate !== true && typeof body.name !== 'string')
          throw new Refused(400, 'invalid_param', 'name is required.');
        found.name = typeof body.name === 'string' ? body.name : 'A generated name';
        return { body: { id: found.id, name: found.name, inputs: {}, status: 'normal', created_at: NOW } };
      }
    }
    const [, messageId] = /^\/messages\/([^/]+)\/feedbacks$/.exec(path) ?? [];
    if (method === 'POST' && messageId !== undefined) {
      needUser(body.user);
      const found = [...conversations.values()].flatMap(({ messages }) => messages).find(({ id }) => id === messageId);
      if (!found) throw new Refused(404, 'not_found', 'Message Not Exists.');
      if (body.rating !== null && body.rating !== 'like' && body.rating !== 'dislike')
        throw new Refused(400, 'invalid_param', 'rating');
      found.feedback = body.rating === null ? null : { rating: body.rating };
      return { body: { result: 'success' } };
    }
    throw new Refused(404, 'not_found', 'The requested URL was not found on the server.');
  }

  function knowledgeAnswer({ method, path, query, body }: Request): Answer {
    if (path === '/datasets' && method === 'GET') {
      const keyword = query.get('keyword') ?? '';
      return numbered([...datasets.values()].filter(({ name }) => name.includes(keyword)).map(shownDataset), query);
    }
    if (path === '/datasets' && method === 'POST') {
      const { name } = body;
      if (typeof name !== 'string' || name.length < 1 || name.length > 40)
        throw new Refused(400, 'invalid_param', 'Name must be between 1 to 40 characters.');
      if ([...datasets.values()].some((one) => one.name === name))
        throw new Refused(
          409,
          'dataset_name_duplicate',
          'The dataset name already exists. Please modify your dataset name.',
        );
      const made = addDataset(name);
      if (typeof body.indexing_technique === 'string') made.indexing_technique = body.indexing_technique;
      return { body: shownDataset(made) };
    }
    const [, datasetId = '', rest = ''] = /^\/datasets\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const dataset = datasets.get(datasetId);
    if (!dataset) throw new Refused(404, 'not_found', 'Dataset not found.');
    if (rest === '' && method === 'GET') return { body: shownDataset(dataset) };
    if (rest === '' && method === 'DELETE') return (datasets.delete(datasetId), { status: 204 });
    if (rest === '/retrieve' && method === 'POST') {
      const model = body.retrieval_model as Json | undefined;
      if (typeof body.query !== 'string' || body.query.length > 250)
        throw new Refused(400, 'invalid_param', 'Query is required and cannot exceed 250 characters');
      if (
        model &&
        ['search_method', 'reranking_enable', 'top_k', 'score_threshold_enabled'].some(
          (key) => model[key] === undefined,
        )
      )
        throw new Refused(400, 'invalid_param', 'retrieval_model is incomplete');
      const words = body.query.toLowerCase();
      const records = [...dataset.documents.values()].flatMap((document) =>
        segmentsOf(document)
          .filter(({ content }) => content.toLowerCase().includes(words))
          .map((segment) => ({
            score: 0.91234,
            segment: { ...segment, document_id: document.id, document: { id: document.id, name: document.name } },
          })),
      );
      return { body: { query: { content: body.query }, records: records.slice(0, Number(model?.top_k ?? 3)) } };
    }
    if (rest === '/documents' && method === 'GET') {
      const all = [...dataset.documents.values()].filter(({ name }) => name.includes(query.get('keyword') ?? ''));
      return numbered(all.map(shownDocument), query);
    }
    if (rest === '/document/create-by-text' && method === 'POST') {
      if (typeof body.name !== 'string' || typeof body.text !== 'string')
        throw new Refused(400, 'invalid_param', 'name and text are required');
      if (dataset.indexing_technique === null && typeof body.indexing_technique !== 'string')
        throw new Refused(400, 'invalid_param', 'indexing_technique is required.');
      dataset.indexing_technique ??= String(body.indexing_technique);
      const made = addDocument(dataset, body.name, body.text);
      return { body: { document: shownDocument(made), batch: made.batch } };
    }
    const [, batch] = /^\/documents\/([^/]+)\/indexing-status$/.exec(rest) ?? [];
    if (batch !== undefined && method === 'GET') {
      const found = [...dataset.documents.values()].find((one) => one.batch === batch);
      if (!found) throw new Refused(404, 'not_found', 'Documents not found.');
      found.polls += 1;
      const isBad = found.text === 'bad';
      const indexing_status = found.polls < 2 ? 'indexing' : isBad ? 'error' : 'completed';
      return {
        body: {
          data: [
            {
              id: found.id,
              indexing_status,
              error: isBad && found.polls > 1 ? 'No embedding model' : null,
              completed_segments: found.polls,
              total_segments: 2,
            },
          ],
        },
      };
    }
    const [, documentId = '', action = ''] = /^\/documents\/([^/]+)(\/.*)?$/.exec(rest) ?? [];
    const document = dataset.documents.get(documentId);
    if (!document) throw new Refused(404, 'not_found', 'Document not found.');
    if (action === '' && method === 'GET')
      return { body: { ...shownDocument(document), segment_count: segmentsOf(document).length } };
    if (action === '' && method === 'DELETE') return (dataset.documents.delete(documentId), { status: 204 });
    if (action === '/segments' && method === 'GET') return numbered(segmentsOf(document), query);
    if (action === '/update-by-text' && method === 'POST') {
      if (typeof body.text === 'string' && typeof body.name !== 'string')
        throw new Refused(400, 'invalid_param', 'Both text and name must be strings.');
      Object.assign(document, { name: body.name, text: body.text, polls: 0, batch: `${document.batch}x` });
      return { body: { document: shownDocument(document), batch: document.batch } };
    }
    throw new Refused(404, 'not_found', 'The requested URL was not found on the server.');
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://here');
    const sent = await readText(request);
    const fault = faults.shift();
    if (fault) return fault;
    if (!pathname.startsWith('/v1/')) return { status: 404, raw: '<html>Not found</html>' };
    const path = pathname.slice('/v1'.length);
    if (path === '/') return { body: { welcome: 'Dify OpenAPI', api_version: 'v1', server_version: '1.9.1' } };
    const [scheme, key = ''] = (request.headers.authorization ?? '').split(' ');
    const wrongKey = () =>
      new Refused(401, 'unauthorized', 'Access token is invalid', { 'www-authenticate': 'Bearer realm="api"' });
    if (scheme !== 'Bearer') throw wrongKey();
    if (sent !== '' && request.headers['content-type'] !== 'application/json')
      throw new Refused(415, 'unsupported_media_type', 'JSON, please.');
    const asked = { method: request.method ?? '', path, query, body: (sent === '' ? {} : JSON.parse(sent)) as Json };
    if (path.startsWith('/datasets')) {
      if (key !== difyKeys.datasetKey) throw wrongKey();
      return knowledgeAnswer(asked);
    }
    const mode = apps.get(key);
    if (mode === undefined) throw wrongKey();
    return appAnswer(mode, asked);
  }

  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(`${request.method} ${request.url}`);
    const given = await answer(request).catch((error: unknown) => {
      if (error instanceof Refused) return error.answer;
      return { status: 500, body: { code: 'internal_server_error', message: String(error), status: 500 } };
    });
    if (given.write) return await given.write(response);
    response.writeHead(given.status ?? 200, {
      'content-type': given.raw === undefined ? 'application/json' : 'text/html',
      ...given.headers,
    });
    response.end(given.raw ?? (given.body === undefined ? '' : JSON.stringify(given.body)));
  }

  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    stopped,
    streams,
    datasets,
    addDataset,
    faults,
    release() {
      for (const end of waiting.values()) end();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
