import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeDify, difyKeys, realDify, startDify } from '../../support/dify.ts';
import { freePort } from '../../support/free-port.ts';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { callTool, connectV2, type Json, textOf } from '../harness.ts';

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

/** What a Dify of any kind has to do. */
function knowledgeTour(clientOf: () => ModuleClient, name: string) {
  it('keeps a dataset: creates it, adds, finds, updates and deletes documents', async () => {
    const client = clientOf();
    const call = (tool: string, params: Json) => client.call('dify', `dify_${tool}`, params);
    const read = (tool: string, params: Json) => client.read('dify', `dify_${tool}`, params);
    const made = await call('create_dataset', { name, description: 'Of a test', indexing: 'economy' });
    expect(made).toMatchObject({ name, documents: 0 });
    expect(await client.refused('dify', 'dify_create_dataset', { name })).toContain('Use another name');
    expect(await read('list_datasets', { keyword: name })).toMatchObject({ datasets: [{ name }] });
    const added = await call('add_document', {
      dataset: name,
      name: 'returns.md',
      text: 'Goods may be returned.\n\nIn 14 days.',
    });
    expect(added).toMatchObject({ status: 'completed', dataset: made.id });
    const document = String(added.id);
    expect(await read('list_documents', { dataset: name })).toMatchObject({
      documents: [{ id: document, name: 'returns.md' }],
    });
    expect(await read('search_dataset', { dataset: String(made.id), query: 'returned' })).toMatchObject({
      passages: [{ text: expect.stringContaining('Goods may be returned') as string, document: 'returns.md' }],
    });
    const updated = await call('update_document', { dataset: name, document, text: 'No returns.' });
    expect(updated).toMatchObject({ status: 'completed' });
    expect(await read('get_document', { dataset: name, document: String(updated.id) })).toMatchObject({
      name: 'returns.md',
      status: 'completed',
      segments: [{ text: 'No returns.' }],
    });
    const gone = await client.confirmed('dify', 'dify_delete_document', {
      dataset: name,
      document: String(updated.id),
    });
    expect(gone.question).toContain('"returns.md"');
    expect(await read('list_documents', { dataset: name })).toEqual({ documents: [] });
    const dropped = await client.confirmed('dify', 'dify_delete_dataset', { dataset: name });
    expect(dropped.question).toContain(`Deletes the dataset "${name}" with 0 documents.`);
    expect(await client.refused('dify', 'dify_get_dataset', { dataset: name })).toContain(
      `There is no dataset ${name}`,
    );
  });
}

function chatTour(clientOf: () => ModuleClient) {
  it('holds a conversation, and deletes it', async () => {
    const client = clientOf();
    const first = await client.call('dify', 'dify_chat', { query: 'Good morning!' });
    expect(first.answer).not.toBe('');
    const { conversation_id } = first;
    expect(await client.call('dify', 'dify_chat', { query: 'And good night.', conversation_id })).toMatchObject({
      conversation_id,
    });
    expect(await client.read('dify', 'dify_list_messages', { conversation_id })).toMatchObject({
      messages: [{ query: 'And good night.' }, { query: 'Good morning!', id: first.message_id }],
    });
    await client.call('dify', 'dify_rename_conversation', { conversation_id, name: 'Of a test' });
    const { conversations } = await client.read<{ conversations: Json[] }>('dify', 'dify_list_conversations');
    expect(conversations).toContainEqual(expect.objectContaining({ id: conversation_id, name: 'Of a test' }));
    await client.confirmed('dify', 'dify_delete_conversation', { conversation_id });
    expect(await client.refused('dify', 'dify_list_messages', { conversation_id })).toContain('does not have it');
  });
}

describe.skipIf(realDify === undefined)('a real dify', () => {
  let client: ModuleClient;
  beforeAll(async () => {
    client = stack.use(await moduleClient({ dify: { ...realDify, mode: 'read-write' } }));
  });

  it('says what it is', async () => {
    expect(await client.list('dify')).toContain('dify_chat');
    expect(await client.read('dify', 'dify_list_apps')).toHaveProperty('apps');
  });

  describe.skipIf(realDify?.apiKey === undefined)('with a chatbot', () => {
    chatTour(() => client);
  });
  describe.skipIf(realDify?.datasetKey === undefined)('with knowledge', () => {
    knowledgeTour(() => client, 'sluice-test');
  });
});

describe('dify', () => {
  let dify: FakeDify;
  let client: ModuleClient;

  beforeAll(async () => {
    dify = stack.use(await startDify());
    client = stack.use(
      await moduleClient({ dify: { url: dify.url, ...difyKeys, mode: 'read-write', concurrency: 2 } }),
    );
  });
  beforeEach(() => {
    dify.requests.length = 0;
    dify.stopped.length = 0;
    dify.faults.length = 0;
  });

  const read = <T = Json>(tool: string, params: Json = {}) => client.read<T>('dify', `dify_${tool}`, params);
  const call = <T = Json>(tool: string, params: Json = {}) => client.call<T>('dify', `dify_${tool}`, params);
  const refused = (tool: string, params: Json = {}) => client.refused('dify', `dify_${tool}`, params);

  describe('discovery', () => {
    it('lists three tools, and finds the others', async () => {
      expect(await client.listed()).toEqual(['dify_list', 'dify_call', 'dify_read']);
      expect(await client.list('dify', { query: 'run a workflow' })).toContain('dify_run_workflow');
      expect(await client.list('dify', { tool: 'dify_chat' })).toContain('"conversation_id"');
    });

    it('shows the apps and what they take', async () => {
      const { apps } = await read<{ apps: Json[] }>('list_apps');
      expect(apps.map(({ app, mode, tool }) => [app, mode, tool])).toEqual([
        ['default', 'chat', 'dify_chat'],
        ['agent', 'agent-chat', 'dify_chat'],
        ['flow', 'advanced-chat', 'dify_chat'],
        ['text', 'completion', 'dify_complete'],
        ['work', 'workflow', 'dify_run_workflow'],
      ]);
      expect(await read('get_app', { app: 'work' })).toMatchObject({
        mode: 'workflow',
        inputs: [
          { name: 'text', type: 'text-input', required: true, max_length: 48 },
          { name: 'tone', type: 'select', required: false, options: ['warm', 'cold'] },
        ],
        opening: 'Hello!',
        takes_files: false,
      });
      expect(await refused('get_app', { app: 'worc' })).toContain('Did you mean work?');
    });
  });

  describe('chats', () => {
    chatTour(() => client);

    it('answer, and go on', async () => {
      const first = await call('chat', {
        query: 'hello',
        files: [{ type: 'image', url: 'https://example.com/a.png' }],
      });
      expect(first).toMatchObject({
        answer: 'You said hello',
        sources: ['returns.md'],
        tokens: 10,
        price: '0.0013 USD',
        seconds: 1.25,
      });
      const { conversation_id } = first;
      expect(await call('chat', { query: 'again', conversation_id })).toMatchObject({
        answer: 'You said again',
        conversation_id,
      });
      expect(await read('list_messages', { conversation_id })).toMatchObject({
        messages: [{ query: 'again' }, { query: 'hello', answer: 'You said hello' }],
      });
      expect(await read('list_conversations')).toMatchObject({
        conversations: [{ id: conversation_id, name: 'hello' }],
      });
      expect(await call('rename_conversation', { conversation_id, name: 'Greetings' })).toMatchObject({
        name: 'Greetings',
      });
      expect(await call('rename_conversation', { conversation_id })).toMatchObject({ name: 'A generated name' });
      await call('send_feedback', { message_id: first.message_id, rating: 'like' });
      expect(await read('list_messages', { conversation_id })).toMatchObject({ messages: [{}, { rating: 'like' }] });
      await call('send_feedback', { message_id: first.message_id, rating: 'none' });
      const { question } = await client.confirmed('dify', 'dify_delete_conversation', { conversation_id });
      expect(question).toContain('with 2 messages, the last of them: "again"');
      expect(await refused('list_messages', { conversation_id })).toContain('Conversation Not Exists.');
      expect(await refused('delete_conversation', { conversation_id })).toContain('Conversation Not Exists.');
    });

    it('agents tell their tools, chatflows their nodes', async () => {
      expect(await call('chat', { app: 'agent', query: 'hi' })).toMatchObject({
        answer: 'You said hi',
        tools: ['search'],
      });
      const said: (string | undefined)[] = [];
      await using own = await connectV2(client.gateway, { era: 'modern' });
      const result = await callTool(
        own,
        'dify_call',
        { tool: 'dify_chat', params: { app: 'flow', query: 'hi' } },
        { onprogress: ({ message }) => said.push(message) },
      );
      expect(result.structuredContent).toMatchObject({ answer: 'You said hi', run_id: 'run-of-a-chat' });
      expect(said).toEqual(expect.arrayContaining(['The workflow runs', 'Think runs']));
    });

    it('long answers are read part by part, of chats and of completions', async () => {
      const chat = await call('chat', { query: 'long' });
      const text = await call('complete', { app: 'text', inputs: { text: 'long' } });
      expect(text).not.toHaveProperty('conversation_id');
      for (const { answer, characters, next_offset, message_id } of [chat, text]) {
        let whole = String(answer);
        let offset = next_offset as number | undefined;
        while (offset !== undefined) {
          const part = await read<{ text: string; next_offset?: number }>('get_message', { message_id, offset });
          whole += part.text;
          offset = part.next_offset;
        }
        expect(whole).toHaveLength(Number(characters));
        expect(whole).toMatch(/^line "0"[\s\S]*line "3999"$/);
      }
      expect(await refused('get_message', { message_id: 'nothing' })).toContain('give its conversation_id, too');
      const { conversation_id } = chat;
      expect(await refused('get_message', { message_id: 'nothing', conversation_id })).toContain(
        'has no message nothing',
      );
      const short = await call('chat', { query: 'short', conversation_id });
      expect(await read('get_message', { message_id: short.message_id, conversation_id })).toEqual({
        message_id: short.message_id,
        text: 'You said short',
      });
    });

    it('pages through many conversations and messages', async () => {
      const { conversation_id } = await call('chat', { query: `message 0 ${'x'.repeat(500)}` });
      for (let n = 1; n < 25; n += 1) await call('chat', { query: `message ${n} ${'x'.repeat(500)}`, conversation_id });
      const seen: string[] = [];
      let cursor: unknown;
      do {
        const page = await read<{ messages: { query: string }[]; cursor?: string }>('list_messages', {
          conversation_id,
          cursor,
        });
        seen.push(...page.messages.map(({ query }) => query.slice(0, 10).trim()));
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `message ${24 - n}`));
    });
  });

  describe('what goes wrong in a stream', () => {
    it.each([
      ['cut off', /broke off before the end/],
      ['garbage', /something else than the events of Dify's API/],
      ['html', /leads to Dify itself and not to a proxy or a login page/],
      ['fail', /cannot use the model: Your quota has been exhausted\. Correct the model or its provider in Dify/],
      ['quota', /says that a quota is used up: Rate limit exceeded\./],
      ['huge', /more than 2 million characters, and was stopped/],
    ])('%s', async (query, expected) => {
      expect(await refused('chat', { query })).toMatch(expected);
      if (query === 'huge') await vi.waitFor(() => expect(dify.stopped).toHaveLength(1));
    });

    it('a connection that breaks says where to look', async () => {
      await using own = await connectV2(client.gateway, { era: 'modern' });
      // The connection breaks when the first event has arrived.
      const broken = async (tool: string, params: Json) =>
        textOf(await callTool(own, 'dify_call', { tool, params }, { onprogress: () => dify.release() }));
      expect(await broken('dify_chat', { query: 'break' })).toMatch(
        /^dify at [\d.:]+ broke off before the end\. dify_list_messages with the conversation_id [\w-]+ shows/,
      );
      const said = await broken('dify_run_workflow', { app: 'work', inputs: { text: 'break' } });
      expect(said).toContain('may or may not have taken effect');
      const id = /dify_get_run with the id ([\w-]+)/.exec(said)?.[1];
      expect(await read('get_run', { app: 'work', id })).toMatchObject({ status: 'running' });
    });

    it('a chatflow that fails names the node', async () => {
      expect(await refused('chat', { app: 'flow', query: 'fail' })).toContain('Think failed: No such model.');
    });

    it('too many requests are waited for', async () => {
      expect(await call('chat', { query: 'busy' })).toMatchObject({ answer: 'You said busy' });
    });

    it('a call that is cancelled stops its task', async () => {
      await using own = await connectV2(client.gateway, { era: 'modern' });
      for (const [tool, params, path] of [
        ['dify_chat', { query: 'slow' }, /^\/chat-messages\/[\w-]+\/stop$/],
        ['dify_run_workflow', { app: 'work', inputs: { text: 'slow' } }, /^\/workflows\/tasks\/[\w-]+\/stop$/],
      ] as const) {
        dify.stopped.length = 0;
        const cancel = new AbortController();
        const begun = vi.fn<() => void>();
        const options = { signal: cancel.signal, onprogress: begun };
        const result = callTool(own, 'dify_call', { tool, params }, options).catch((error: unknown) => String(error));
        await vi.waitFor(() => expect(begun).toHaveBeenCalled());
        cancel.abort();
        await result;
        await vi.waitFor(() => expect(dify.stopped).toEqual([expect.stringMatching(path)]));
      }
      await vi.waitFor(() => expect(dify.streams.open).toBe(0));
    });

    it('no more run at once than concurrency says', async () => {
      dify.streams.most = 0;
      const all = Promise.all(Array.from({ length: 5 }, () => call('chat', { query: 'slow' })));
      let done = false;
      const ended = all.finally(() => (done = true));
      await vi.waitFor(() => {
        dify.release();
        expect(done).toBe(true);
      });
      expect(await ended).toHaveLength(5);
      expect(dify.streams.most).toBe(2);
    });
  });

  describe('workflows', () => {
    it('run, and give their outputs', async () => {
      const done = await call('run_workflow', { app: 'work', inputs: { text: 'hi' } });
      expect(done).toMatchObject({
        status: 'succeeded',
        outputs: { text: 'HI', length: 2 },
        seconds: 1.5,
        tokens: 7,
        steps: 2,
      });
      expect(await read('get_run', { app: 'work', id: done.run_id })).toMatchObject({
        status: 'succeeded',
        outputs: { text: 'HI' },
      });
      expect(await read('list_runs', { app: 'work', status: 'succeeded' })).toMatchObject({
        runs: expect.arrayContaining([expect.objectContaining({ id: done.run_id })]) as unknown,
      });
    });

    it('say which node failed, and for whom they wait', async () => {
      expect(await refused('run_workflow', { app: 'work', inputs: { text: 'fail' } })).toMatch(
        /The workflow failed\. Shout failed: division by zero\. Its run is [\w-]+\./,
      );
      expect(await read('list_runs', { app: 'work', status: 'failed' })).toMatchObject({
        runs: [{ error: 'division by zero' }],
      });
      expect(await call('run_workflow', { app: 'work', inputs: { text: 'wait' } })).toMatchObject({
        status: 'paused',
        waits_for: 'Approval: May I?',
      });
    });

    it('long outputs are read part by part', async () => {
      const { run_id, cut } = await call('run_workflow', { app: 'work', inputs: { text: 'long' } });
      expect(cut).toEqual(['text']);
      let whole = '';
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const part: { text: string; next_offset?: number } = await read('get_run', {
          app: 'work',
          id: run_id,
          output: 'text',
          offset,
        });
        whole += part.text;
        offset = part.next_offset;
      }
      expect(whole).toBe('Long "line"\n'.repeat(2000));
      expect(await refused('get_run', { app: 'work', id: run_id, output: 'toString' })).toContain(
        'It has: text, length.',
      );
    });

    it('a task can be stopped by its id', async () => {
      await call('stop_task', { app: 'work', task_id: 'some task' });
      await call('stop_task', { app: 'text', task_id: 't' });
      expect(dify.stopped).toEqual(['/workflows/tasks/some%20task/stop', '/completion-messages/t/stop']);
    });

    it('another kind of app says which tool to use', async () => {
      expect(await refused('chat', { app: 'work', query: 'hi' })).toContain('use dify_run_workflow');
      expect(await refused('run_workflow', { inputs: { text: 'hi' } })).toContain('use dify_chat');
      expect(await refused('complete', { inputs: {} })).toContain('dify_get_app shows its mode');
      expect(await refused('run_workflow', { app: 'work' })).toContain(
        'text is required in input form. dify_get_app shows',
      );
    });
  });

  describe('datasets', () => {
    knowledgeTour(() => client, 'Handbook');

    it('a document that cannot be indexed says why', async () => {
      const { id } = dify.addDataset('Bad', ['x']);
      expect(await call('add_document', { dataset: id, name: 'bad', text: 'bad' })).toMatchObject({
        status: 'error',
        error: 'No embedding model',
      });
    });

    it('pages through long lists and documents', async () => {
      const dataset = dify.addDataset(
        'Many',
        Array.from({ length: 130 }, (_, n) => `document ${n} of many`),
      );
      const seen = new Set<string>();
      let cursor: unknown;
      do {
        const page = await read<{ documents: { id: string }[]; cursor?: string }>('list_documents', {
          dataset: 'Many',
          cursor,
        });
        for (const { id } of page.documents) seen.add(id);
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(seen.size).toBe(130);
      const [id] = dify
        .addDataset('Long', [Array.from({ length: 60 }, (_, n) => `${n} ${'"ü"'.repeat(400)}`).join('\n\n')])
        .documents.keys();
      let count = 0;
      do {
        const page = await read<{ segments: Json[]; cursor?: string }>('get_document', {
          dataset: 'Long',
          document: id,
          cursor,
        });
        count += page.segments.length;
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(count).toBe(60);
      dify.datasets.delete(dataset.id);
    });

    it('a list of datasets limits everything', async () => {
      const [open, closed] = [
        dify.addDataset('open-docs', ['free text']),
        dify.addDataset('closed-docs', ['secret text']),
      ];
      await using limited = await moduleClient({
        dify: { url: dify.url, datasetKey: difyKeys.datasetKey, datasets: ['open-*'], mode: 'read-write' },
      });
      const { datasets } = await limited.read<{ datasets: { name: string }[] }>('dify', 'dify_list_datasets');
      expect(datasets.map(({ name }) => name)).toEqual(['open-docs']);
      expect(await limited.read('dify', 'dify_search_dataset', { dataset: open.id, query: 'text' })).toMatchObject({
        passages: [{ text: 'free text' }],
      });
      for (const dataset of ['closed-docs', closed.id])
        for (const [tool, params] of [
          ['get_dataset', {}],
          ['search_dataset', { query: 'text' }],
          ['list_documents', {}],
          ['add_document', { name: 'a', text: 'b' }],
          ['delete_dataset', {}],
        ] as const)
          expect(await limited.refused('dify', `dify_${tool}`, { dataset, ...params })).toContain(
            'modules.dify.datasets in sluice.yaml allows open-*',
          );
      expect(await limited.refused('dify', 'dify_create_dataset', { name: 'other' })).toContain('out of reach');
      expect(await limited.read('dify', 'dify_list_apps')).toMatchObject({
        apps: [],
        note: expect.stringContaining('dify_list_datasets') as string,
      });
      expect(await limited.refused('dify', 'dify_chat', { query: 'hi' })).toContain('Set modules.dify.apiKey');
      expect([...closed.documents.values()]).toHaveLength(1);
    });
  });

  describe('what is refused', () => {
    it('bad input changes nothing', async () => {
      for (const [tool, params] of [
        ['chat', {}],
        ['chat', { query: '' }],
        ['chat', { query: 'x', files: [{ type: 'image', url: 'file:///etc/passwd' }] }],
        ['run_workflow', { inputs: 'text' }],
        ['search_dataset', { dataset: 'x', query: 'y'.repeat(300) }],
        ['create_dataset', { name: 'y'.repeat(41) }],
        ['get_run', { id: '..' }],
        ['list_runs', { cursor: 'nonsense' }],
      ] as const)
        expect(await refused(tool, params), tool).not.toBe('');
      expect(dify.requests).toEqual([]);
    });

    it('nothing runs in read-only mode', async () => {
      await using reader = await moduleClient({ dify: { url: dify.url, ...difyKeys } });
      expect(await reader.listed()).toEqual(['dify_list', 'dify_call']);
      for (const tool of ['dify_chat', 'dify_complete', 'dify_run_workflow', 'dify_add_document'])
        expect(await reader.refused('dify', tool, {})).toContain('set modules.dify.mode to read-write');
      expect(await reader.read('dify', 'dify_get_app')).toMatchObject({ mode: 'chat' });
    });

    it('a wrong key is said with its place, and never shown', async () => {
      await using wrong = await moduleClient({
        dify: {
          url: dify.url,
          apps: { good: 'app-chat-key', bad: 'app-secret-wrong' },
          datasetKey: 'dataset-secret-wrong',
        },
      });
      const { apps } = await wrong.read<{ apps: Json[] }>('dify', 'dify_list_apps');
      expect(apps).toMatchObject([
        { app: 'good', mode: 'chat' },
        { app: 'bad', error: expect.stringContaining('Correct modules.dify.apps.bad') as string },
      ]);
      const said = await wrong.refused('dify', 'dify_list_datasets');
      expect(said).toContain('refuses the key (HTTP 401). Correct modules.dify.datasetKey');
      expect(JSON.stringify([apps, said, wrong.health('dify')])).not.toContain('secret-wrong');
      expect(await wrong.refused('dify', 'dify_get_app')).toContain('Name an app: good, bad.');
    });

    it.each([
      ['a login page', { status: 302, headers: { location: '/signin' }, raw: '' }, 'redirects to another address'],
      ['a proxy', { status: 502, raw: '<html>Bad gateway</html>' }, 'answered with HTTP 502'],
      ['a page', { raw: '<html>Welcome</html>' }, 'something else than its API documents'],
      ['other JSON', { body: { data: 'nothing' } }, 'something else than its API documents'],
      [
        'a fault',
        { status: 500, body: { code: 'internal_server_error', message: 'Oops', status: 500 } },
        'failed (HTTP 500): Oops.',
      ],
      ['50 MB', { raw: 'x'.repeat(50 * 1024 * 1024) }, 'more than 16384 KB'],
      [
        'a limit',
        {
          status: 429,
          body: { code: 'too_many_requests', message: 'Slow', status: 429 },
          headers: { 'retry-after': '120' },
        },
        'Try again in 120 s',
      ],
    ])('%s', async (_, fault, expected) => {
      // A read is repeated once if the connection was kept.
      dify.faults.push(fault, fault);
      expect(await refused('list_datasets')).toContain(expected);
    });
  });

  it('says that it is away', async () => {
    const port = await freePort();
    await using away = await moduleClient({
      dify: { url: `http://127.0.0.1:${port}`, apiKey: 'app-chat-key', mode: 'read-write' },
    });
    expect(await away.refused('dify', 'dify_list_apps')).toMatch(
      /^dify at 127\.0\.0\.1:\d+ is not running.*modules\.dify/,
    );
    expect(await away.refused('dify', 'dify_chat', { query: 'hi' })).toContain('is not running: nothing listens there');
    expect(away.health('dify')).toMatchObject({ state: 'failing' });
  });

  it('a call that takes too long is stopped, in Dify, too', async () => {
    await using hasty = await moduleClient({
      dify: { url: `${dify.url}/v1`, ...difyKeys, mode: 'read-write', timeout: '300ms' },
    });
    expect(await hasty.refused('dify', 'dify_chat', { query: 'slow' })).toContain(
      'took longer than 0.3 s, and the call was stopped',
    );
    await vi.waitFor(() => expect(dify.stopped).toHaveLength(1));
  });
});
