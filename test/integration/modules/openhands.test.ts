import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { type FakeOpenhands, OPENHANDS_KEY, realOpenhands, startOpenhands } from '../../support/openhands.ts';
import { callTool, connectV2, type Json } from '../harness.ts';

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

interface Shown {
  id: string;
  what: string;
  text: string;
}

describe.skipIf(realOpenhands === undefined)('a real openhands', () => {
  it('shows its conversations and their events', async () => {
    await using client = await moduleClient({ openhands: realOpenhands });
    expect(await client.read('openhands', 'openhands_get_status')).toHaveProperty('working');
    const { conversations } = await client.read<{ conversations: { id: string }[] }>(
      'openhands',
      'openhands_list_conversations',
    );
    for (const { id } of conversations.slice(0, 2))
      expect(await client.read('openhands', 'openhands_list_events', { id })).toHaveProperty('events');
  });
});

describe('openhands', () => {
  let openhands: FakeOpenhands;
  let client: ModuleClient;

  beforeAll(async () => {
    openhands = stack.use(await startOpenhands());
    client = stack.use(
      await moduleClient({ openhands: { url: openhands.url, apiKey: OPENHANDS_KEY, mode: 'read-write' } }),
    );
  });
  beforeEach(() => {
    openhands.requests.length = 0;
    openhands.faults.length = 0;
    openhands.conversations.clear();
  });

  const read = <T = Json>(tool: string, params: Json = {}) => client.read<T>('openhands', `openhands_${tool}`, params);
  const call = <T = Json>(tool: string, params: Json = {}) => client.call<T>('openhands', `openhands_${tool}`, params);
  const refused = (tool: string, params: Json = {}) => client.refused('openhands', `openhands_${tool}`, params);

  it('lists three tools, and finds the others', async () => {
    expect(await client.listed()).toEqual(['openhands_list', 'openhands_call', 'openhands_read']);
    expect(await client.list('openhands', { query: 'let openhands fix a bug' })).toContain(
      'openhands_start_conversation',
    );
    expect(await client.list('openhands', { tool: 'openhands_wait' })).toContain('"seconds"');
  });

  it('does a task: starts, waits, shows what was done, and goes on', async () => {
    const said: (string | undefined)[] = [];
    await using own = await connectV2(client.gateway, { era: 'modern' });
    const started = await callTool(
      own,
      'openhands_call',
      {
        tool: 'openhands_start_conversation',
        params: { task: 'Improve the README', repository: 'acme/shop', branch: 'main' },
      },
      { onprogress: ({ message }) => said.push(message) },
    );
    expect(started.structuredContent).toMatchObject({ status: 'READY' });
    expect(said).toContain('WAITING_FOR_SANDBOX');
    const { id } = started.structuredContent as { id: string };
    expect(await read('list_conversations', { busy: true })).toMatchObject({
      conversations: [
        { id, title: 'Improve the README', state: 'working', repository: 'acme/shop', branch: 'main', cost: 0.1235 },
      ],
    });
    expect(await read('wait', { id })).toMatchObject({
      state: 'finished',
      done: true,
      last: [
        { who: 'agent', what: 'message', text: 'All done.' },
        { what: 'result of terminal', exit_code: 0 },
        {},
        {},
      ],
    });
    const { events } = await read<{ events: Shown[] }>('list_events', { id, order: 'oldest' });
    expect(events.map(({ what, text }) => [what, text])).toEqual([
      ['message', 'Improve the README'],
      ['terminal', 'I look around.\n$ ls -la'],
      ['result of terminal', 'README.md'],
      ['message', 'All done.'],
    ]);
    expect(await read('list_events', { id, only: 'messages' })).toMatchObject({
      events: [{ text: 'All done.' }, { text: 'Improve the README' }],
    });
    expect(await read('list_files', { id })).toEqual({ total: 1, files: ['README.md'] });
    expect(await read('list_changes', { id })).toEqual({
      total: 1,
      changes: [{ path: 'README.md', status: 'updated' }],
    });
    expect(await read('get_diff', { id, path: 'README.md' })).toEqual({
      path: '/workspace/project/shop/README.md',
      change: 'changed',
      text: '@@ -1 +1 @@\n Hello\n+World',
    });
    expect(await read('get_file', { id, path: 'README.md' })).toMatchObject({ text: 'Hello\nWorld\n' });
    expect(await refused('get_file', { id, path: 'nothing' })).toContain('is empty, does not exist');
    expect(await call('send_message', { id, message: 'Thank you' })).toEqual({ id, sent: true });
    expect(await read('wait', { id })).toMatchObject({ state: 'finished' });
    expect(await read('get_conversation', { id })).toMatchObject({
      state: 'finished',
      meaning: expect.stringContaining('done') as string,
    });
    const { question } = await client.confirmed('openhands', 'openhands_delete_conversation', { id });
    expect(question).toContain(`Deletes the conversation "Improve the README" on acme/shop (${id}), which is finished`);
    expect(await refused('get_conversation', { id })).toContain(`There is no conversation ${id}`);
  });

  it('a start that fails says why', async () => {
    expect(await refused('start_conversation', { task: 'impossible', repository: 'acme/nothing' })).toContain(
      'OpenHands could not start: Repository not found. Check the repository',
    );
  });

  it('stops a conversation, and a message wakes it', async () => {
    const { id } = openhands.add({ execution_status: 'running' });
    expect(await call('stop_conversation', { id })).toEqual({ id, stopped: true });
    expect(await call('stop_conversation', { id })).toEqual({ id, stopped: true });
    expect(await read('get_conversation', { id })).toMatchObject({ state: 'paused' });
    expect(await refused('list_changes', { id })).toContain('The sandbox does not run: Sandbox is paused');
    expect(await call('send_message', { id, message: 'Go on' })).toMatchObject({ sent: true });
    expect(openhands.requests).toContain('POST /api/v1/sandboxes/sandbox-0/resume');
    const gone = openhands.add({ sandbox_status: 'MISSING' });
    expect(await refused('send_message', { id: gone.id, message: 'Go on' })).toContain(
      'The message was not sent. Its sandbox is gone.',
    );
    expect(await refused('stop_conversation', { id: gone.id })).toContain('nothing to stop');
  });

  it('starts no more than may work at the same time', async () => {
    const [first, second] = await Promise.all([
      call('start_conversation', { task: 'work forever' }),
      call('start_conversation', { task: 'work forever' }),
    ]);
    const before = openhands.conversations.size;
    const said = await refused('start_conversation', { task: 'work forever' });
    expect(said).toContain('2 conversations of openhands at');
    expect(said).toContain('modules.openhands.concurrency in sluice.yaml allows 2. Nothing was started.');
    expect(said).toContain(String(first.id));
    const idle = openhands.add();
    expect(await refused('send_message', { id: idle.id, message: 'Go' })).toContain('Nothing was started');
    expect(await call('send_message', { id: String(first.id), message: 'work forever' })).toMatchObject({ sent: true });
    expect(openhands.conversations.size).toBe(before + 1);
    expect(await read('get_status')).toMatchObject({ mode: 'oss', conversations: 3, working: 2, most: 2 });
    await call('stop_conversation', { id: second.id });
    expect(await call('start_conversation', { task: 'work forever' })).toMatchObject({ status: 'READY' });
  });

  it('three that start at the same moment do not pass together', async () => {
    const all = await Promise.allSettled([1, 2, 3].map(() => call('start_conversation', { task: 'work forever' })));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(openhands.conversations.size).toBe(2);
  });

  it('waits no longer than asked', async () => {
    const { id } = openhands.add({ execution_status: 'running' });
    expect(await read('wait', { id, seconds: 1 })).toMatchObject({ state: 'working', done: false });
  });

  it('long outputs, files and lists are read part by part', async () => {
    const { id } = await call('start_conversation', { task: 'talk a lot' });
    const { events } = await read<{ events: Shown[] }>('list_events', { id, order: 'oldest' });
    const long = events.find(({ what }) => what === 'result of terminal');
    expect(long?.text).toContain('(27000 characters)');
    const conversation = openhands.conversations.get(String(id));
    conversation?.files.set('big.txt', '"ü"\n'.repeat(5000));
    for (const [tool, params, expected] of [
      ['get_event', { id, event: long?.id }, 'a "line"\n'.repeat(3000)],
      ['get_file', { id, path: 'big.txt' }, '"ü"\n'.repeat(5000)],
    ] as const) {
      let whole = '';
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const part: { text: string; next_offset?: number } = await read(tool, { ...params, offset });
        whole += part.text;
        offset = part.next_offset;
      }
      expect(whole).toBe(expected);
    }
    for (let n = 0; n < 400; n += 1) conversation?.files.set(`src/some/folder/file-${n}.ts`, 'x');
    for (const [tool, key] of [
      ['list_files', 'files'],
      ['list_changes', 'changes'],
    ] as const) {
      let count = 0;
      let cursor: unknown;
      do {
        const page: Json = await read(tool, { id, cursor });
        count += (page[key] as unknown[]).length;
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(count).toBe(conversation?.files.size);
    }
    expect(await read('list_files', { id, pattern: 'src/*-7.ts' })).toMatchObject({ total: 1 });
    expect(await refused('get_event', { id, event: 'nothing' })).toContain('no such event');
  });

  it('pages through many conversations and events', async () => {
    const { id, events } = openhands.add();
    for (let n = 0; n < 120; n += 1)
      events.push({
        id: `e${n}`,
        kind: n % 2 ? 'AgentErrorEvent' : 'TokenEvent',
        source: 'agent',
        error: `error ${n}`,
      });
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page: { events: Shown[]; cursor?: string } = await read('list_events', { id, only: 'errors', cursor });
      seen.push(...page.events.map(({ text }) => text));
      ({ cursor } = page);
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => `error ${119 - 2 * n}`));
    for (let n = 0; n < 110; n += 1) openhands.add({ title: `Task ${n}` });
    let count = 0;
    do {
      const page: { conversations: Json[]; cursor?: string } = await read('list_conversations', {
        title: 'Task',
        cursor,
      });
      count += page.conversations.length;
      ({ cursor } = page);
    } while (cursor !== undefined);
    expect(count).toBe(110);
  });

  it('a list of repositories limits everything', async () => {
    const [open, closed, none] = [
      openhands.add({ selected_repository: 'acme/shop' }),
      openhands.add({ selected_repository: 'other/secret' }),
      openhands.add(),
    ];
    await using limited = await moduleClient({
      openhands: { url: openhands.url, apiKey: OPENHANDS_KEY, repositories: ['acme/*'], mode: 'read-write' },
    });
    const { conversations } = await limited.read<{ conversations: Json[] }>(
      'openhands',
      'openhands_list_conversations',
    );
    expect(conversations.map(({ id }) => id)).toEqual([open.id]);
    for (const [tool, params] of [
      ['get_conversation', {}],
      ['list_events', {}],
      ['get_file', { path: 'a' }],
      ['send_message', { message: 'a' }],
      ['stop_conversation', {}],
      ['delete_conversation', {}],
    ] as const) {
      expect(await limited.refused('openhands', `openhands_${tool}`, { id: closed.id, ...params })).toContain(
        'modules.openhands.repositories in sluice.yaml allows acme/*',
      );
      expect(await limited.refused('openhands', `openhands_${tool}`, { id: none.id, ...params })).toContain(
        'has no repository',
      );
    }
    expect(await limited.refused('openhands', 'openhands_start_conversation', { task: 'x' })).toContain(
      'Name a repository',
    );
    expect(
      await limited.refused('openhands', 'openhands_start_conversation', { task: 'x', repository: 'other/secret' }),
    ).toContain('out of reach');
    for (const repository of ['acme/../other/secret', 'acme/./shop'])
      expect(await limited.refused('openhands', 'openhands_start_conversation', { task: 'x', repository })).toContain(
        'must not contain . or ..',
      );
    expect(
      await limited.call('openhands', 'openhands_start_conversation', { task: 'x', repository: 'acme/shop' }),
    ).toMatchObject({ status: 'READY' });
    expect(openhands.conversations.size).toBe(4);
  });

  it('bad input changes nothing', async () => {
    for (const [tool, params] of [
      ['get_conversation', { id: '../sandboxes' }],
      ['get_conversation', {}],
      ['start_conversation', { task: '' }],
      ['start_conversation', { task: 'x', repository: 'no slash' }],
      ['start_conversation', { task: 'x', branch: 'main' }],
      ['list_events', { id: 'x'.repeat(36) }],
      ['list_conversations', { cursor: 'nonsense' }],
    ] as const)
      expect(await refused(tool, params), tool).not.toBe('');
    expect(openhands.requests).toEqual([]);
  });

  it('nothing is started in read-only mode', async () => {
    await using reader = await moduleClient({ openhands: { url: openhands.url, apiKey: OPENHANDS_KEY } });
    for (const tool of ['start_conversation', 'send_message', 'stop_conversation', 'delete_conversation'])
      expect(await reader.refused('openhands', `openhands_${tool}`, {})).toContain(
        'set modules.openhands.mode to read-write',
      );
    expect(await reader.read('openhands', 'openhands_list_conversations')).toEqual({ conversations: [] });
  });

  it('keys are never shown', async () => {
    const { id } = openhands.add();
    expect(JSON.stringify(await read('get_conversation', { id }))).not.toContain('session-secret-key');
    await using wrong = await moduleClient({ openhands: { url: openhands.url, apiKey: 'sk-oh-wrong-secret' } });
    const said = await wrong.refused('openhands', 'openhands_list_conversations');
    expect(said).toContain('refuses the key (HTTP 401). Correct modules.openhands.apiKey');
    expect(JSON.stringify([said, wrong.health('openhands')])).not.toContain('wrong-secret');
  });

  it.each([
    ['a login page', { status: 302, headers: { location: '/login' }, raw: '' }, 'redirects to another address'],
    ['a proxy', { status: 502, raw: '<html>Bad gateway</html>' }, 'answered with HTTP 502'],
    ['the web page', { raw: '<html>OpenHands</html>' }, 'something else than its API documents'],
    [
      'an older server',
      { status: 404, body: { detail: 'Not Found' } },
      'does not have this part of the V1 API (/api/v1). Update OpenHands',
    ],
    ['a fault', { status: 500, body: { detail: 'Oops' } }, 'failed (HTTP 500): Oops.'],
    ['50 MB', { raw: 'x'.repeat(50 * 1024 * 1024) }, 'more than 16384 KB'],
    [
      'a limit',
      { status: 429, body: { detail: 'Slow down' }, headers: { 'retry-after': '120' } },
      'Try again in 120 s',
    ],
  ])('%s', async (_, fault, expected) => {
    openhands.faults.push(fault, fault);
    expect(await refused('list_conversations')).toContain(expected);
  });

  it('a short limit is waited for', async () => {
    openhands.faults.push({ status: 429, body: { detail: 'Slow down' }, headers: { 'retry-after': '0' } });
    expect(await read('list_conversations')).toEqual({ conversations: [] });
  });

  it('a call that is cancelled ends', async () => {
    const { id } = openhands.add({ execution_status: 'running' });
    await using own = await connectV2(client.gateway, { era: 'modern' });
    const cancel = new AbortController();
    const begun = vi.fn<() => void>();
    const options = { signal: cancel.signal, onprogress: begun };
    const result = callTool(own, 'openhands_call', { tool: 'openhands_wait', params: { id } }, options).catch(
      (error: unknown) => String(error),
    );
    await vi.waitFor(() => expect(begun).toHaveBeenCalled());
    cancel.abort(new Error('left'));
    expect(await result).toContain('left');
  });

  it('says that it is away', async () => {
    const port = await freePort();
    await using away = await moduleClient({ openhands: { url: `http://127.0.0.1:${port}` } });
    expect(await away.refused('openhands', 'openhands_list_conversations')).toMatch(
      /^openhands at 127\.0\.0\.1:\d+ is not running.*modules\.openhands/,
    );
    expect(away.health('openhands')).toMatchObject({ state: 'failing' });
  });
});
