import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { socketPath } from '../../src/host/home.ts';
import { listen } from '../fixtures/reference/http.ts';
import {
  type Json,
  type LocalReference,
  modern,
  openSession,
  rpc,
  send,
  startGateway,
  startReference,
  type TestGateway,
} from './harness.ts';
import { odd } from '../support/processes.ts';
import { openEvents } from '../support/event-stream.ts';
import { call } from '../support/exchange.ts';

/** A server that answers every call with exactly these bytes as the text. */
function rawText(bytes: string): { command: string; args: string[] } {
  const script = `
    const answer = (id, result) => process.stdout.write(Buffer.concat([
      Buffer.from('{ "jsonrpc": "2.0", "id": ' + id + ', "result": ' + result[0]), Buffer.from(result[1] ?? '', 'hex'), Buffer.from((result[2] ?? '') + '}\\n')]));
    const tools = [{ name: 'raw', inputSchema: { type: 'object' } }];
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize') answer(id, ['{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}']);
      else if (method === 'tools/list') answer(id, [JSON.stringify({ tools })]);
      else if (method === 'tools/call') answer(id, ['{"content":[{"type":"text","text":"', '${bytes}', '"}]}']);
      else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n');
    });`;
  return { command: process.execPath, args: ['-e', script] };
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const MiB = 1024 * 1024;
const INITIALIZE =
  '{"jsonrpc":"2.0","id":99,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';

let reference: LocalReference;
let gateway: TestGateway;
let url: string;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway({
    mcpServers: {
      ref: reference.entry,
      missing: { command: 'no-such-command-anywhere' },
      gone: { url: 'http://127.0.0.1:9/mcp' },
      garbage: odd('--garbage'),
      gibberish: { ...odd('--garbage-only'), timeout: '1s' },
      silent: { ...odd('--never-initializes'), timeout: '1s' },
      ancient: odd('--wrong-version'),
      mute: { ...odd('--never-answers'), callTimeout: '1s' },
      twice: odd('--answers-twice'),
      huge: odd(),
      raw: rawText('c328fffe'),
      deep: rawText(Buffer.from(`"}],"structuredContent":{"deep":${nested(10_000)}},"x":[{"y":"`).toString('hex')),
    },
  });
  url = gateway.mcp;
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

const echo = async (text: string) =>
  ((await call(url, 'ref__echo', { text })).result.content as [{ text: string }])[0].text;

/** Checks that another client is served while something goes wrong, and afterwards. */
async function undisturbed<T>(wrong: Promise<T>): Promise<T> {
  expect(await echo('during')).toBe('during');
  const outcome = await wrong;
  expect(await echo('after')).toBe('after');
  return outcome;
}

const textOf = (result: Json) => (result.content as { text: string }[]).map(({ text }) => text).join('');
const stateOf = (name: string) =>
  gateway.runtime.apis.gateway.status().backends.find((backend) => backend.name === name);

describe('a request over HTTP', () => {
  test.each<[string, unknown, number, number, number | null, RegExp]>([
    ['malformed JSON', '{"jsonrpc":"2.0","id":1,', 400, -32700, null, /^Parse error: /],
    ['nothing at all', '', 400, -32700, null, /^Parse error: /],
    ['a text', '"tools/list"', 400, -32600, null, /a JSON-RPC message is an object/],
    ['an empty batch', '[]', 400, -32600, null, /empty batch/],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 5, method: 'ping' }, 400, -32600, 5, /jsonrpc must be "2.0"/],
    [
      'params that are a list',
      { jsonrpc: '2.0', id: 5, method: 'ping', params: [] },
      400,
      -32600,
      5,
      /params must be an object/,
    ],
    [
      'an id that is an object',
      { jsonrpc: '2.0', id: {}, method: 'ping' },
      400,
      -32600,
      null,
      /id must be a string or an integer/,
    ],
    ['a method that is a number', { jsonrpc: '2.0', id: 5, method: 7 }, 400, -32600, 5, /method must be a string/],
    ['10,000 nested arrays', nested(10_000), 400, -32700, null, /nested more than 256 levels deep/],
    [
      '10,000 nested arrays among the arguments',
      `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"ref__echo","arguments":{"text":${nested(10_000)}}}}`,
      400,
      -32700,
      null,
      /nested more than 256/,
    ],
    [
      'arguments that are a text',
      rpc(5, 'tools/call', { name: 'ref__echo', arguments: 'hi' }),
      200,
      -32602,
      5,
      /arguments must be an object/,
    ],
    ['a tool whose name is a number', rpc(5, 'tools/call', { name: 5 }), 200, -32602, 5, /needs the name of a tool/],
    ['a URI that is a list', rpc(5, 'resources/read', { uri: [] }), 200, -32602, 5, /needs a uri/],
    ['a prompt that is an object', rpc(5, 'prompts/get', { name: {} }), 200, -32602, 5, /Unknown prompt/],
    ['an unknown method', rpc(5, 'tools/destroy'), 200, -32601, 5, /Method not found: tools\/destroy/],
    ['a method of every object', rpc(5, 'constructor'), 200, -32601, 5, /Method not found/],
  ])('with %s gets an error that says so', async (_, body, status, code, id, words) => {
    const sent = await undisturbed(send(url, { body }));
    expect(sent.status).toBe(status);
    expect(sent.messages).toEqual([
      { jsonrpc: '2.0', id, error: { code, message: expect.stringMatching(words) as string } },
    ]);
  });

  test('of 20 MB is refused, with or without Content-Length', async () => {
    const body = JSON.stringify(rpc(1, 'tools/call', { name: 'ref__echo', arguments: { text: 'x'.repeat(20 * MiB) } }));
    const stated = await undisturbed(send(url, { body }));
    expect(stated).toMatchObject({
      status: 413,
      messages: [
        { error: { code: -32600, message: expect.stringContaining(`larger than ${16 * MiB} bytes`) as string } },
      ],
    });
    const chunked = await undisturbed(chunkedPost(body));
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect(chunked).toContain('larger than');
  });

  test('of 10 MB is served', async () => {
    const { result } = await undisturbed(call(url, 'ref__echo', { text: 'x'.repeat(10 * MiB) }));
    expect(textOf(result)).toHaveLength(10 * MiB);
  });

  test('of another content type is refused', async () => {
    const sent = await undisturbed(send(url, { headers: { 'content-type': 'text/plain' }, body: rpc(1, 'ping') }));
    expect(sent).toMatchObject({
      status: 415,
      messages: [{ error: { message: expect.stringContaining('send application/json') as string } }],
    });
  });

  test('that is cut off half-way calls nothing', async () => {
    const before = reference.world.journal.length;
    const body = JSON.stringify(rpc(1, 'tools/call', { name: 'ref__slow', arguments: { ms: 0, tag: 'cut-off' } }));
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(head + body.slice(0, -10));
    await echo('during');
    socket.destroy();
    await echo('after');
    expect(reference.world.journal.slice(before)).toEqual([]);
  });

  test('with 100 kB of headers is refused', async () => {
    const sent = await undisturbed(send(url, { headers: { 'x-long': 'x'.repeat(100_000) }, body: rpc(1, 'ping') }));
    expect(sent.status).toBe(431);
  });

  test('that is not HTTP loses only its own connection', async () => {
    expect(await undisturbed(overSocket('\u0016\u0003\u0001 not http\r\n\r\n'))).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each(['/mcp/%', '/mcp/%ff', '/mcp/a%2Fb', '/mcp/constructor'])('to %s names no toolset', async (path) => {
    const sent = await undisturbed(send(new URL(gateway.url).origin + path, { body: rpc(1, 'ping') }));
    expect(sent).toMatchObject({
      status: 404,
      messages: [{ error: { message: expect.stringContaining('No toolset') as string } }],
    });
  });

  test('of a 2026 client with a wrong envelope says what is wrong', async () => {
    const { headers, body } = modern('tools/list');
    const sent = await undisturbed(
      send(url, {
        headers,
        body: {
          ...body,
          params: {
            _meta: { ...((body.params as Json)._meta as Json), 'io.modelcontextprotocol/clientCapabilities': 'all' },
          },
        },
      }),
    );
    expect(sent).toMatchObject({
      status: 400,
      messages: [
        {
          id: 1,
          error: { code: -32602, message: expect.stringContaining('clientCapabilities has the wrong type') as string },
        },
      ],
    });
  });

  test('whose id is already in flight is refused; the first one is answered', async () => {
    const session = await openSession(url);
    const slow = send(url, {
      headers: session,
      body: rpc('same', 'tools/call', { name: 'ref__slow', arguments: { ms: 1500, tag: 'same-id' } }),
    });
    await expect.poll(() => reference.world.journal).toContain('slow started same-id');
    const second = await undisturbed(send(url, { headers: session, body: rpc('same', 'ping') }));
    expect(second.messages).toEqual([
      {
        jsonrpc: '2.0',
        id: 'same',
        error: { code: -32600, message: 'A request with id "same" is already in flight.' },
      },
    ]);
    expect((await slow).messages.at(-1)).toMatchObject({ id: 'same', result: { content: [{ text: 'slow 1500' }] } });
    expect((await send(url, { headers: session, body: rpc('same', 'ping') })).messages).toEqual([
      { jsonrpc: '2.0', id: 'same', result: {} },
    ]);
  });
});

describe('an unknown tool', () => {
  test.each([
    ['ref__ecko', 'Unknown tool: ref__ecko. Did you mean ref__echo'],
    ['echo', 'ref__echo'],
    ['REF-ECHO', 'ref__echo'],
    ['zzzzzzzzzzzz', 'Unknown tool: zzzzzzzzzzzz. tools/list shows the names.'],
  ])('%s: the nearest names are offered', async (name, words) => {
    const { error } = await undisturbed(call(url, name));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(words) as string });
  });

  test('with a name of a megabyte gets a short answer quickly', async () => {
    const started = performance.now();
    const { messages } = await send(url, { body: rpc(1, 'tools/call', { name: 'x'.repeat(MiB) }) });
    expect(messages).toMatchObject([{ error: { message: expect.stringMatching(/^.{100,300}$/) as string } }]);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('of a server that is not running gets the state of the server', async () => {
    const { error } = await undisturbed(call(url, 'missing__echo'));
    expect(error?.message).toMatch(
      /^Unknown tool: missing__echo\. The server missing is not running: The command no-such-command-anywhere does not exist/,
    );
  });
});

describe('a message over stdio', () => {
  test.each<[string, string, number, number | string | null, RegExp]>([
    ['malformed JSON', '{"jsonrpc":"2.0","id":1,', -32700, null, /^Parse error/],
    ['no JSON', 'hello', -32700, null, /^Parse error/],
    ['10,000 nested arrays', nested(10_000), -32700, null, /nested more than 256/],
    [
      'params that are a list',
      '{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}',
      -32600,
      5,
      /params must be an object/,
    ],
    ['a method that is a number', '{"jsonrpc":"2.0","id":"a","method":7}', -32600, 'a', /method must be a string/],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null, /id must be/],
  ])('with %s gets an error, and the line after it is served', async (_, line, code, id, words) => {
    await using stdio = await openStdio();
    stdio.write(line);
    stdio.write(INITIALIZE);
    await expect.poll(() => stdio.messages).toHaveLength(2);
    expect(stdio.messages).toContainEqual({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.stringMatching(words) as string },
    });
    expect(stdio.messages).toContainEqual(expect.objectContaining({ id: 99, result: expect.anything() as unknown }));
  });

  test('in a batch is refused if its protocol version has no batches', async () => {
    await using stdio = await openStdio();
    stdio.write(INITIALIZE);
    await expect.poll(() => stdio.messages).toHaveLength(1);
    stdio.write('[{"jsonrpc":"2.0","id":5,"method":"ping"}]');
    await expect.poll(() => stdio.messages).toHaveLength(2);
    expect(stdio.messages[1]).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining('Batches exist only in 2025-03-26') as string },
    });
  });
});

describe('a message over HTTP+SSE', () => {
  test('that is invalid is refused in the POST response; the stream stays open', async () => {
    using stream = await openEvents(gateway.sse);
    await expect.poll(() => stream.events).toMatchObject([{ event: 'endpoint' }]);
    const endpoint = new URL(stream.events[0]?.data ?? '', gateway.url).href;
    expect(await send(endpoint, { body: '{"jsonrpc"' })).toMatchObject({
      status: 400,
      messages: [{ error: { code: -32700 } }],
    });
    expect(await send(endpoint, { body: { jsonrpc: '2.0', id: 1, method: 7 } })).toMatchObject({
      status: 400,
      messages: [{ error: { code: -32600 } }],
    });
    expect(await send(endpoint, { body: rpc(2, 'ping') })).toMatchObject({ status: 202 });
    await expect.poll(() => stream.messages()).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });

  test('to an unknown stream is a 404', async () => {
    expect(await send(`${gateway.url}/message?sessionId=nobody`, { body: rpc(1, 'ping') })).toMatchObject({
      status: 404,
    });
    expect(await send(`${gateway.url}/message`, { body: rpc(1, 'ping') })).toMatchObject({ status: 400 });
  });
});

describe('a server', () => {
  test('whose command does not exist is FAILED, with a remedy and the time of the next retry', async () => {
    await expect
      .poll(() => stateOf('missing'))
      .toMatchObject({
        state: 'FAILED',
        retryAt: expect.any(String) as string,
        lastError: {
          message:
            'The command no-such-command-anywhere does not exist. Install it, or correct "command" in the configuration.',
        },
      });
  });

  test('that cannot be reached is FAILED, with its address', async () => {
    await expect
      .poll(() => stateOf('gone'))
      .toMatchObject({
        state: 'FAILED',
        lastError: { message: expect.stringContaining('http://127.0.0.1:9 cannot be reached') as string },
      });
  });

  test('with an unknown protocol version is FAILED, with the version', async () => {
    await expect
      .poll(() => stateOf('ancient'))
      .toMatchObject({
        state: 'FAILED',
        lastError: { message: expect.stringContaining('1999-12-31') as string },
      });
  });

  test('that never initializes fails after its own timeout', () => {
    expect(stateOf('silent')).toMatchObject({
      state: expect.stringMatching(/FAILED|STARTING/) as string,
      lastError: { message: 'The server was silent for 1 s, so Sluice stopped waiting.' },
    });
  });

  test('that prints garbage between its answers works, and its status counts the garbage', async () => {
    expect(stateOf('garbage')).toMatchObject({ state: 'RUNNING', noise: expect.any(Number) as number });
    expect(stateOf('ref')?.noise).toBeUndefined();
    expect(textOf((await undisturbed(call(url, 'garbage__echo', { text: 'clear' }))).result)).toBe('clear');
  });

  test('that prints nothing but garbage fails, and its status says why', () => {
    expect(stateOf('gibberish')).toMatchObject({
      state: expect.stringMatching(/FAILED|STARTING/) as string,
      lastError: {
        message: expect.stringMatching(
          /silent for 1 s.* \d+ of its messages were not MCP.*Send logs to stderr/,
        ) as string,
      },
    });
  });

  test('that never answers delays only its caller, up to the timeout', async () => {
    const { result } = await undisturbed(call(url, 'mute__echo', { text: 'hello?' }));
    expect(result).toMatchObject({ isError: true, _meta: { 'sluice/error': { code: 'timeout', retryable: true } } });
    expect(textOf(result)).toBe('mute: The server was silent for 1 s, so Sluice stopped waiting.');
  });

  test('that answers twice delivers one answer', async () => {
    for (const text of ['one', 'two', 'three'])
      expect(textOf((await call(url, 'twice__echo', { text })).result)).toBe(text);
    await undisturbed(Promise.resolve());
  });

  test('whose text is not UTF-8 is passed on with the bad bytes replaced', async () => {
    expect(textOf((await undisturbed(call(url, 'raw__raw'))).result)).toBe('\ufffd(\ufffd\ufffd');
  });

  test('that answers 10,000 levels deep fails only that call', async () => {
    const { result } = await undisturbed(call(url, 'deep__raw'));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('nested more than 256 levels deep');
    expect(stateOf('deep')).toMatchObject({ state: 'RUNNING', restarts: 0 });
  });
});

describe('a result of 50 MB', () => {
  const LIMIT = 32 * MiB;

  test('over stdio is an error that states the size and a remedy; the connection survives', async () => {
    const pid = gateway.runtime.apis.gateway.backend('huge')?.pids;
    const { result } = await undisturbed(call(url, 'huge__huge'));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      new RegExp(`^huge: The server answered with ${50 * MiB + 73} bytes; the limit is ${LIMIT}\\. Ask for less\\.$`),
    );
    expect(textOf((await call(url, 'huge__echo', { text: 'still here' })).result)).toBe('still here');
    expect(gateway.runtime.apis.gateway.backend('huge')?.pids).toEqual(pid);
  });

  test.each(['http', 'sse'] as const)('over %s too', async (transport) => {
    await using big = await startReference(transport, 'legacy');
    await using through = await startGateway({ mcpServers: { big: big.entry } });
    const { result } = await call(through.mcp, 'big__big', { bytes: 50 * MiB });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      new RegExp(`^big: The server answered with \\d{8} bytes; the limit is ${LIMIT}\\. Ask for less\\.$`),
    );
    expect(textOf((await call(through.mcp, 'big__echo', { text: 'still here' })).result)).toBe('still here');
    expect(through.runtime.apis.gateway.status().backends).toMatchObject([{ state: 'RUNNING', restarts: 0 }]);
  });
});

test('a server over HTTP+SSE with an invalid message URL fails without affecting others', async () => {
  const server = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: endpoint\ndata: http://[\n\n');
  }, 0);
  try {
    await using through = await startGateway({
      mcpServers: { odd: { url: `http://127.0.0.1:${server.port}/sse`, timeout: '2s' }, ref: reference.entry },
    });
    // Poll: the gateway keeps retrying it.
    await expect
      .poll(() => through.runtime.apis.gateway.status().backends)
      .toMatchObject([
        { name: 'odd', state: 'FAILED', lastError: { message: expect.stringContaining('message URL') as string } },
        { name: 'ref', state: 'RUNNING' },
      ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

describe('a request from elsewhere', () => {
  test.each(['Forwarded', 'X-Forwarded-For', 'X-Real-IP'])(
    'through a proxy (%s) is refused while there is no authentication',
    async (name) => {
      const sent = await undisturbed(send(url, { headers: { [name]: '203.0.113.7' }, body: rpc(1, 'ping') }));
      expect(sent).toMatchObject({
        status: 403,
        messages: [{ error: { message: expect.stringContaining('came through a proxy') as string } }],
      });
    },
  );

  test.each([
    [{ host: 'evil.example' }, 'server.allowedHosts'],
    [{ origin: 'https://evil.example' }, 'server.allowedOrigins'],
    [{ origin: 'null' }, 'server.allowedOrigins'],
  ])('with %j is refused, with the setting that allows it', async (headers, setting) => {
    const sent = await undisturbed(send(url, { headers, body: rpc(1, 'ping') }));
    expect(sent).toMatchObject({
      status: 403,
      messages: [{ error: { message: expect.stringContaining(setting) as string } }],
    });
  });
});

/** Sends bytes on a new connection and returns everything that comes back. */
function overSocket(...pieces: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      received += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    for (const piece of pieces) socket.write(piece);
  });
}

function chunkedPost(body: string): Promise<string> {
  const head =
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  return overSocket(head, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
}

/** The attachment of a `sluice stdio` to the gateway, without the process in between. */
async function openStdio() {
  const socket = connect(socketPath(gateway.home));
  const messages: Json[] = [];
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    messages.push(...lines.map((line) => JSON.parse(line) as Json));
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    messages,
    write: (line: string) => void socket.write(`${line}\n`),
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}
