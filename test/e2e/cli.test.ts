import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPlace, type Finished, memoryIn, type Place, reference, type Started } from '../support/command-line.ts';

const ESCAPE = '\x1b[';
const json = ({ stdout }: Finished): unknown => JSON.parse(stdout);

describe('while no gateway runs', () => {
  let place: Place;
  beforeAll(async () => {
    place = await createPlace();
    const mcpServers = {
      ref: reference,
      memory: memoryIn(place.home),
      broken: { command: 'no-such-program' },
    };
    await writeFile(join(place.project, 'sluice.json'), JSON.stringify({ mcpServers }));
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test.each([['status'], ['status', '--json'], ['events']])('%s %s cannot be answered: exit 3', async (...args) => {
    const { code, stdout, stderr } = await place.run(args);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(`no gateway runs for ${place.home}. Start one with \`sluice serve\``);
  });

  test('tools starts the servers for itself, says so, and says which one is missing', async () => {
    const { code, stdout, stderr } = await place.run(['tools']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ref__echo +Answers with its text$/m);
    expect(stdout).toMatch(/^memory__read_graph +Read the entire knowledge graph$/m);
    expect(stderr).toMatch(/No gateway is running: starting the servers/);
    expect(stderr).toMatch(/^broken is (FAILED|STARTING): The command no-such-program does not exist/m);
    expect(stdout).not.toContain(ESCAPE);
  });

  test('calls work, and their effects last', async () => {
    const entities = [{ name: 'Sluice', entityType: 'gateway', observations: ['one of many'] }];
    const made = await place.run(['call', 'memory__create_entities', JSON.stringify({ entities })]);
    expect(made.code).toBe(0);
    const found = await place.run(['call', '--json', 'memory__search_nodes', 'query=Sluice']);
    expect(json(found)).toMatchObject({ structuredContent: { entities } });
  });

  test('a call does not wait for servers it does not need', async () => {
    const mcpServers = {
      ref: reference,
      silent: { command: process.execPath, args: ['-e', 'process.stdin.resume()'] },
    };
    await using other = await createPlace({ mcpServers });
    const started = Date.now();
    expect(await other.run(['call', 'ref__echo', 'text=hi'])).toMatchObject({ code: 0, stdout: 'hi\n' });
    expect(Date.now() - started).toBeLessThan(15_000);
  });

  test('a tool of a server that is not up: the server is named', async () => {
    const { code, stderr } = await place.run(['call', 'broken__anything']);
    expect(code).toBe(1);
    expect(stderr).toContain('Unknown tool: broken__anything.');
    expect(stderr).toMatch(/broken is (FAILED|STARTING)/);
  });

  test('a wrong configuration: exit 1, with the line', async () => {
    await using other = await createPlace();
    await writeFile(join(other.project, 'sluice.yaml'), 'server:\n  port: many\n');
    const { code, stderr } = await other.run(['tools']);
    expect(code).toBe(1);
    expect(stderr).toContain('line 2, server.port');
  });

  test('--config names the file', async () => {
    await using other = await createPlace();
    const file = join(other.home, 'mine.json');
    await writeFile(file, JSON.stringify({ mcpServers: { mine: reference } }));
    expect(await other.run(['call', '-c', file, 'mine__echo', 'text=hi'])).toMatchObject({ code: 0, stdout: 'hi\n' });
  });
});

describe('attached to the running gateway', () => {
  let place: Place;
  let gateway: Started & AsyncDisposable;
  beforeAll(async () => {
    place = await createPlace({
      mcpServers: {
        ref: { ...reference, confirm: ['touch'] },
        strict: { ...reference, confirm: ['touch'], confirmBy: 'human' },
        broken: { command: 'no-such-program' },
      },
      // The commands must list and call every tool, whatever exposure models get.
      gateway: { expose: 'search' },
    });
    gateway = await place.serve();
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  test('status: every server, and what each exposure costs', async () => {
    const { code, stdout, stderr } = await place.run(['status']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ref +RUNNING +\d+s +47 /m);
    expect(stdout).toMatch(/^broken +(FAILED|STARTING) .*The command no-such-program does not exist/m);
    expect(stdout).toMatch(/^search +3 +[\d,]+ +[\d,]+$/m);
    expect(stdout).not.toContain(ESCAPE);
  });

  test('status --json prints what gateway_status returns', async () => {
    const status = json(await place.run(['status', '--json'])) as { backends: object[]; url: string };
    expect(status.backends).toContainEqual(expect.objectContaining({ name: 'ref', state: 'RUNNING' }));
    expect(status.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const tool = json(await place.run(['call', '--json', 'gateway_status'])) as { structuredContent: object };
    expect(Object.keys(status).sort()).toEqual(Object.keys(tool.structuredContent).sort());
  });

  test('tools: all of them whatever the exposure, by substring or glob, as lines or as MCP lists them', async () => {
    const substring = await place.run(['tools', 'ECHO']);
    expect(
      substring.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['ref__echo', 'strict__echo']);
    expect(substring.stderr).not.toContain('No gateway runs');
    const globbed = json(await place.run(['tools', 'ref__e*', '--json'])) as { name: string; inputSchema: object }[];
    expect(globbed).toEqual([
      expect.objectContaining({ name: 'ref__echo', inputSchema: expect.any(Object) as object }),
    ]);
    expect(await place.run(['tools', 'nothing-like-it', '--json'])).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  test('tools into a pipe that closes early is not an error', async () => {
    const listing = place.start(['tools', '--json']);
    listing.child.stdout.destroy();
    expect(await listing.finished).toMatchObject({ code: 0 });
  });

  test.each([
    ['JSON', ['{"text": "hi"}'], undefined],
    ['key=value', ['text=hi'], undefined],
    ['stdin', ['-'], '{"text": "hi"}'],
  ])('call with arguments as %s', async (_, args, input) => {
    const finished = await place.run(['call', 'ref__echo', ...args], input === undefined ? {} : { input });
    expect(finished).toEqual({ code: 0, stdout: 'hi\n', stderr: '' });
  });

  test('call by the alias, by a wrapper, and for the whole result', async () => {
    expect(await place.run(['call', 'ref:echo', 'text=hi'])).toMatchObject({ code: 0, stdout: 'hi\n' });
    expect((await place.run(['call', 'find_tools', 'query=echo'])).stdout).toContain('ref__echo');
    expect(json(await place.run(['call', 'ref__echo', 'text=hi', '--json']))).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
    });
  });

  test('a large result arrives complete, even through a pipe', async () => {
    const { code, stdout } = await place.run(['call', 'ref__big', 'bytes=3000000']);
    expect({ code, length: stdout.length }).toEqual({ code: 0, length: 3_000_001 });
  });

  test.each([
    ['a result that says isError', ['ref__fail', 'kind=isError'], 1, /^failed on request\n$/],
    ['a protocol error', ['ref__fail', 'kind=rpc'], 1, /^sluice call: failed on request\n$/],
    ['an unknown tool', ['ref__ehco'], 1, /^sluice call: Unknown tool: ref__ehco\. Did you mean ref__echo/],
    [
      'arguments that are wrong for the tool',
      ['gateway_status', 'server=5', 'x=1'],
      1,
      /gateway_status was not called: /,
    ],
    ['text that is not JSON', ['ref__echo', '{"text": hunter2}'], 2, /is not JSON: Unexpected token 'h'\./],
    ['JSON that is no object', ['ref__echo', '[1]'], 2, /must be an object/],
    ['no tool', [], 2, /an argument is missing\nUsage: sluice call TOOL/],
    ['an unknown option', ['ref__echo', '--loud'], 2, /--loud/],
  ])('call: %s', async (_, args, code, message) => {
    const finished = await place.run(['call', ...args]);
    expect(finished).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) as string });
    expect(finished.stderr).not.toContain('hunter2');
  });

  test('call --json also prints failures', async () => {
    const failed = await place.run(['call', 'ref__fail', 'kind=isError', '--json']);
    expect(failed.code).toBe(1);
    expect(json(failed)).toMatchObject({ isError: true });
    const refused = await place.run(['call', 'ref__fail', 'kind=rpc', 'code=-32050', '--json']);
    expect(refused.code).toBe(1);
    expect(json(refused)).toMatchObject({ error: { code: -32_050, data: { reason: 'asked' } } });
  });

  test('a tool that has to be confirmed: --yes, unless it must be a person', async () => {
    const declined = await place.run(['call', 'ref__touch', 'uri=test://x']);
    expect(declined).toMatchObject({ code: 1, stdout: '' });
    expect(declined.stderr).toMatch(
      /Add --yes to allow it\.\nThe user did not allow ref__touch\. Nothing was done\.\n$/,
    );
    expect(await place.run(['call', '--yes', 'ref__touch', 'uri=test://x'])).toMatchObject({
      code: 0,
      stdout: 'test://x\n',
    });
    expect(await place.run(['call', '--yes', 'strict__touch', 'uri=test://x'])).toMatchObject({ code: 1, stdout: '' });
  });

  test("a tool's questions are declined if nobody can answer", async () => {
    const { code, stdout, stderr } = await place.run(['call', 'ref__ask', 'kind=elicitation', 'tag=q']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'q {"action":"decline"}\n' });
    expect(stderr).toContain('Run this on a terminal to answer.');
  });

  test('progress goes to stderr, the answer to stdout', async () => {
    const { stdout, stderr } = await place.run(['call', 'ref__slow', 'ms=300']);
    expect(stdout).toBe('slow 300\n');
    expect(stderr).toMatch(/^\d+\/10\n/);
    expect(stderr).not.toContain(ESCAPE);
  });

  test('Ctrl-C cancels the call at the backend', async () => {
    const journal = async () => (await place.run(['call', 'ref__journal'])).stdout;
    const call = place.start(['call', 'ref__slow', '{"ms": 60000, "tag": "to-cancel"}']);
    await expect.poll(() => journal()).toContain('slow started to-cancel');
    call.child.kill('SIGINT');
    expect(await call.finished).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Cancelled.') as string,
    });
    await expect.poll(() => journal()).toContain('slow cancelled to-cancel');
  });

  test('events: by type, time and trace, the newest last', async () => {
    await place.run(['call', 'ref__echo', 'text=hi']);
    const done = /tool\.call_completed +tool=ref__echo source=ref principal=local ms=[\d.]+ bytes=\d+$/;
    const listed = await vi.waitFor(async () => {
      const { stdout } = await place.run(['events', '--type', 'tool.*', '--since', '1h']);
      expect(stdout.split('\n').some((line) => done.test(line))).toBe(true);
      return stdout.trim().split('\n');
    }, 10_000);
    const times = listed.map((line) => line.slice(0, '2026-01-01T00:00:00.000Z'.length));
    expect(times).toEqual(times.toSorted());
    const trace = listed.findLast((line) => done.test(line))?.split(/ +/)[1] ?? '';
    const traced = (await place.run(['events', '--trace', trace, '--json'])).stdout.trim().split('\n');
    const types = traced.map((line) => (JSON.parse(line) as { event_type: string }).event_type);
    expect(types).toEqual(['tool.call_received', 'tool.call_completed']);
  });

  test('events since an invalid time: exit 1, and what to write', async () => {
    const { code, stderr } = await place.run(['events', '--since', 'yesterday']);
    expect(code).toBe(1);
    expect(stderr).toContain('Write an ISO time or 15m, 2h, 7d');
  });

  test('doctor asks the running gateway', async () => {
    const { code, stdout } = await place.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ok +gateway: version \S+ runs at http\S+ \(process \d+\); the checks ran there, nothing was started$/m,
    );
    expect(stdout).toMatch(/^ok +server ref: 47 tools/m);
    expect(stdout).toMatch(/^FAIL +server broken: The command no-such-program does not exist/m);
    expect(stdout).not.toContain('port:');
  });

  test("export prints the gateway's actual address", async () => {
    const { url } = json(await place.run(['status', '--json'])) as { url: string };
    expect(json(await place.run(['export', 'vscode']))).toEqual({ servers: { sluice: { type: 'http', url } } });
  });

  test('stdio attaches with its own exposure', async () => {
    const list = async (...args: string[]) => {
      const lines = [
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
        },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      ];
      const stdio = place.start(['stdio', ...args], {
        input: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
      });
      await stdio.printed('"id":2');
      const { stdout } = await stdio.finished;
      const answer = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number; result: { tools: { name: string }[] } });
      return answer.find(({ id }) => id === 2)?.result.tools.map(({ name }) => name);
    };
    const own = await list();
    expect(own).toContain('find_tools');
    expect(own).not.toContain('ref__echo');
    expect(await list('--expose', 'flat')).toContain('ref__echo');
  });
});

test('a gateway that ends during a call: exit 3', async () => {
  await using place = await createPlace({ mcpServers: { ref: reference } });
  await using gateway = await place.serve();
  const call = place.start(['call', 'ref__slow', 'ms=10000']);
  await call.printed('/10');
  gateway.child.kill('SIGKILL');
  expect(await call.finished).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('The gateway closed the connection.') as string,
  });
  await gateway.finished;
  // The socket it left behind belongs to nobody.
  expect(await place.run(['status'])).toMatchObject({ code: 3 });
});
