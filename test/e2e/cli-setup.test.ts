import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bin, createPlace, follow, memoryIn, reference } from '../support/command-line.ts';
import { olderNode } from '../support/older-node.ts';

test('from nothing to a gateway: init, doctor, call', async () => {
  await using place = await createPlace();
  const { env, ...memory } = memoryIn(place.home);
  await mkdir(join(place.user, '.cursor'));
  await writeFile(
    join(place.user, '.cursor', 'mcp.json'),
    JSON.stringify({ mcpServers: { memory: { ...memory, env: { ...env, SOME_API_KEY: 'hunter2-key' } } } }),
  );
  const init = await place.run(['init', '--yes']);
  expect(init).toMatchObject({ code: 0, stdout: '' });
  expect(init.stderr).toContain('Next: `sluice serve`');
  const written = await readFile(join(place.project, 'sluice.yaml'), 'utf8');
  expect(written).toContain('SOME_API_KEY: ${SOME_API_KEY}');
  expect(written + init.stderr).not.toContain('hunter2');
  expect((await stat(join(place.project, '.env'))).mode & 0o777).toBe(0o600);

  // Port 3500 may be in use on this machine.
  await writeFile(join(place.project, 'sluice.yaml'), written.replace('port: 3500', 'port: 0'));
  const doctor = await place.run(['doctor']);
  expect(doctor.stdout).toMatch(/^ok +server memory: 9 tools \(stdio, /m);
  expect(doctor.code).toBe(0);
  const { stdout } = await place.run(['call', 'memory__read_graph']);
  expect(JSON.parse(stdout)).toEqual({ entities: [], relations: [] });
});

describe('init', () => {
  test('does not overwrite, and asks nothing if nobody can answer', async () => {
    await using place = await createPlace({});
    expect(await place.run(['init'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string });
    expect(await place.run(['init', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/sluice\.json already exists\. Add --force/) as string,
    });
    await expect(stat(join(place.project, 'sluice.yaml'))).rejects.toThrow('ENOENT');
  });

  test('says what is still missing before it can start', async () => {
    await using place = await createPlace();
    const theirs = join(place.user, 'vscode.json');
    const servers = {
      docs: { type: 'http', url: 'https://example.com/mcp', headers: { 'X-Key': '${input:docs-key}' } },
    };
    await writeFile(theirs, JSON.stringify({ servers }));
    const { code, stderr } = await place.run(['init', '--yes', '--from', theirs]);
    expect(code).toBe(0);
    expect(stderr).toContain('Fix this before you start it:');
    expect(stderr).toContain('DOCS_KEY');
  });
});

describe('doctor', () => {
  test('shows a failing server, a disabled one, and a directory that others can read', async () => {
    await using place = await createPlace({
      server: { port: 0 },
      mcpServers: {
        ref: reference,
        crashing: { command: process.execPath, args: ['-e', 'console.error("TOKEN is required"); process.exit(1)'] },
        away: { url: 'http://127.0.0.1:1/mcp' },
        off: { command: 'nothing', enabled: false },
      },
    });
    await chmod(place.home, 0o755);
    const { code, stdout, stderr } = await place.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok +node: v24/m);
    expect(stdout).toMatch(/^ok +configuration: .*sluice\.json$/m);
    expect(stdout).toMatch(/^warn +data directory: .*\n +chmod 700 /m);
    expect(stdout).toMatch(/^ok +server ref: 47 tools/m);
    expect(stdout).toMatch(/^FAIL +server crashing: .*TOKEN is required\n +Set what it asks for in its "env"/m);
    expect(stdout).toMatch(/^FAIL +server away: .*\n +Start that server/m);
    expect(stdout).toMatch(/^ok +server off: switched off$/m);
    expect(stderr).toContain('2 of 11 checks failed.');
    const checks = JSON.parse((await place.run(['doctor', '--json'])).stdout) as { ok: boolean; checks: object[] };
    expect(checks.ok).toBe(false);
    expect(checks.checks).toContainEqual(expect.objectContaining({ check: 'server ref', result: 'ok' }));
  });

  test('shows each problem of a wrong configuration with its line, and starts nothing', async () => {
    await using place = await createPlace();
    const lines = ['server:', '  prot: 1', 'mcpServers:', '  x: { command: a, env: { K: "${NOT_SET_ANYWHERE}" } }'];
    await writeFile(join(place.project, 'sluice.yaml'), lines.join('\n'));
    const { code, stdout } = await place.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL +configuration: .*sluice\.yaml: line 2, server\.prot: .*\n +.*port/m);
    expect(stdout).toMatch(/^FAIL +configuration: .*line 4, mcpServers\.x\.env\.K: missing secret: NOT_SET_ANYWHERE/m);
    expect(stdout).not.toContain('server x');
  });

  test('shows a port in use, and a data directory that is not a directory', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await using place = await createPlace({ server: { port } });
    const taken = await place.run(['doctor']);
    other.close();
    expect(taken.code).toBe(1);
    expect(taken.stdout).toContain(`FAIL  port: 127.0.0.1:${port} is in use by another program`);
    const file = join(place.project, 'sluice.json');
    const unusable = await place.run(['doctor'], { env: { SLUICE_HOME: file } });
    expect(unusable.code).toBe(1);
    expect(unusable.stdout).toContain(`FAIL  data directory: cannot use ${file}`);
  });
});

describe('export', () => {
  test('by URL: from the configuration, or from --url', async () => {
    await using place = await createPlace({ server: { port: 4567 } });
    const configured = await place.run(['export', 'claude']);
    expect(JSON.parse(configured.stdout)).toEqual({
      mcpServers: { sluice: { type: 'http', url: 'http://127.0.0.1:4567/mcp' } },
    });
    expect(configured.stderr).toContain('claude mcp add --transport http sluice http://127.0.0.1:4567/mcp');
    const told = await place.run(['export', 'cursor', '--url', 'https://sluice.example.com']);
    expect(JSON.parse(told.stdout)).toEqual({ mcpServers: { sluice: { url: 'https://sluice.example.com/mcp' } } });
  });

  test.each([
    [['emacs'], /say .*claude.*, not emacs/],
    [[], /say .*claude/],
    [['claude', '--url', 'nonsense'], /--url looks like http/],
    [['claude', '--stdio', '--url', 'http://x'], /use --stdio or --url, not both/],
  ])('%j is wrong usage', async (args, message) => {
    await using place = await createPlace();
    const { code, stdout, stderr } = await place.run(['export', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('--stdio: what it prints starts this gateway from anywhere', async () => {
    await using place = await createPlace({ mcpServers: { ref: reference } });
    const { stdout } = await place.run(['export', 'cursor', '--stdio']);
    const { command, args, env } = (
      JSON.parse(stdout) as { mcpServers: { sluice: { command: string; args: string[]; env: Record<string, string> } } }
    ).mcpServers.sluice;
    expect(args[0]).toBe(bin);
    const client = follow(
      spawn(command, args, { cwd: '/', env: { PATH: process.env.PATH, HOME: place.user, ...env } }),
    );
    const send = (message: object) => client.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
    await client.printed('"id":1');
    send({ method: 'notifications/initialized' });
    // The server may still be starting; then a list_changed follows.
    send({ id: 2, method: 'tools/list' });
    await client.printed(/"name":"ref__echo"|list_changed/);
    send({ id: 3, method: 'tools/list' });
    await client.printed('"name":"ref__echo"');
    client.child.stdin.end();
    expect((await client.finished).code).toBe(0);
  });
});

test('every command shows an example', async () => {
  await using place = await createPlace();
  const { stdout } = await place.run(['--help']);
  const names = [...stdout.matchAll(/^ {2}(\w+) {2,}\w/gm)].map((match) => match[1] as string);
  expect(names).toEqual(expect.arrayContaining(['init', 'doctor', 'status', 'tools', 'call', 'events', 'export']));
  for (const help of await Promise.all(names.map((name) => place.run([name, '--help'])))) {
    expect(help).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('\nExample: sluice ') as string,
    });
  }
});

describe.skipIf('missing' in olderNode)(
  `started by an older Node${'missing' in olderNode ? ` (skipped: ${olderNode.missing})` : ''}`,
  () => {
    test('it hands over: the same output, input and exit codes', async () => {
      await using place = await createPlace({ mcpServers: { ref: reference } });
      const options = 'node' in olderNode ? olderNode : {};
      const input = '{"text": "hi"}';
      expect(await place.run(['call', 'ref__echo', '-'], { ...options, input })).toMatchObject({
        code: 0,
        stdout: 'hi\n',
      });
      expect((await place.run(['doctor', '--json'], options)).stdout).toMatch(/"detail": "v24\./);
      expect((await place.run(['status'], options)).code).toBe(3);
      expect((await place.run(['call'], options)).code).toBe(2);
    });
  },
);
