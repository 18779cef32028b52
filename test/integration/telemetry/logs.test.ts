import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callTool, connectV2, type Json, modern, rpc, send, startReference } from '../harness.ts';
import { serve, type ServeProcess } from '../../support/serve-process.ts';

const SLUICE = fileURLToPath(new URL('../../../bin/sluice.js', import.meta.url));

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-logs-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

interface Line extends Json {
  level: string;
  time: string;
  msg: string;
  event?: string;
}

/** The log lines in the output. */
function linesOf(output: string): Line[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line) as Line);
}

const lines = (gateway: ServeProcess) => linesOf(gateway.output());
const ofEvent = (gateway: ServeProcess, event: string) => lines(gateway).filter((line) => line.event === event);
describe('without a terminal', () => {
  test('each line is a JSON object with a time, a level and a message', async () => {
    await using gateway = await serve(directory, {});
    await gateway.ready();
    await gateway.end('SIGTERM');
    expect(lines(gateway).flatMap(({ event }) => event ?? [])).toEqual(['gateway.started', 'gateway.stopped']);
    expect(lines(gateway)[0]).toMatchObject({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      msg: expect.stringContaining(gateway.url) as string,
      url: gateway.url,
    });
  });

  test('stderr has only log lines, and stdout says how to connect', async () => {
    const child = spawn(process.execPath, [SLUICE, 'serve', '--port', '0'], {
      cwd: directory,
      env: {
        PATH: process.env.PATH,
        HOME: directory,
        SLUICE_HOME: directory,
        NODE_OPTIONS: `--import ${onSignal('process.emitWarning("canary warning")')}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk;
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
    await expect.poll(() => printed).toContain('claude mcp add');
    child.kill('SIGUSR2');
    await expect.poll(() => errors).toContain('canary warning');
    child.kill('SIGTERM');
    await once(child, 'close');
    const written = errors.trim().split('\n');
    expect(linesOf(errors)).toHaveLength(written.length);
    expect(linesOf(errors).find(({ msg }) => msg === 'canary warning')).toMatchObject({ level: 'warn' });
  });

  test('a fatal error is the last line, without secrets', async () => {
    const crash = onSignal('throw new Error(`crash with ${process.env.MY_TOKEN}`)');
    await using gateway = await serve(
      directory,
      {},
      { env: { NODE_OPTIONS: `--import ${crash}`, MY_TOKEN: 'canary-of-the-crash' } },
    );
    expect(await gateway.end('SIGUSR2')).toBe(1);
    expect(lines(gateway).at(-1)).toMatchObject({
      level: 'error',
      error: expect.stringContaining('crash with [redacted]') as string,
    });
  });
});

/** A module that runs this code in the gateway's process on SIGUSR2. */
function onSignal(code: string): string {
  return `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code} })`)}`;
}

test('on stdio the log goes to stderr, and stdout has only MCP messages', async () => {
  const child = spawn(process.execPath, [SLUICE, 'stdio'], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory, SLUICE_HOME: directory, LOG_LEVEL: 'debug' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const [printed, errors] = [text(child.stdout), text(child.stderr)];
  const info = { name: 'test', version: '1' };
  const hello = rpc(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info });
  const call = rpc(2, 'tools/call', { name: 'gateway_status', arguments: {} });
  child.stdin.write(`${JSON.stringify(hello)}\n${JSON.stringify(call)}\n`);
  let answered = '';
  child.stdout.on('data', (chunk: Buffer) => {
    answered += String(chunk);
    if (answered.includes('"id":2')) child.stdin.end();
  });
  await once(child, 'exit');
  const answers = (await printed)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  expect(answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  const logged = linesOf(await errors).map(({ event }) => event);
  expect(logged).toEqual(expect.arrayContaining(['gateway.started', 'tool.call_completed', 'gateway.stopped']));
});

describe('calls', () => {
  test('a failed call is one line with its trace and reason', async () => {
    await using gateway = await serve(directory, {});
    const { headers, body } = modern('tools/call', {
      name: 'gateway_restart_server',
      arguments: { name: 'canary-argument' },
    });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await send(`${gateway.url}/mcp`, {
      headers: { ...headers, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
      body,
    });
    await expect.poll(() => ofEvent(gateway, 'tool.call_failed').length).toBe(1);
    expect(ofEvent(gateway, 'tool.call_failed')[0]).toMatchObject({
      level: 'warn',
      trace_id: traceId,
      tool: 'gateway_restart_server',
      source: 'gateway',
      reason: 'not_found',
      ms: expect.any(Number) as number,
    });
    expect(gateway.output()).not.toContain('canary-argument');
  });

  test('a call that fails repeatedly is not logged every time', async () => {
    await using gateway = await serve(directory, {});
    const failing = modern('tools/call', { name: 'gateway_restart_server', arguments: { name: 'nobody' } });
    for (let round = 0; round < 30; round++) await send(`${gateway.url}/mcp`, failing);
    await gateway.end('SIGTERM');
    expect(ofEvent(gateway, 'tool.call_failed').length).toBe(5);
  });

  test('successful calls are logged at debug, which can be turned on while running', async () => {
    await using gateway = await serve(directory, {});
    const status = modern('tools/call', { name: 'gateway_status', arguments: {} });
    await send(`${gateway.url}/mcp`, status);
    await gateway.configure({ logLevel: 'debug' });
    await expect.poll(() => ofEvent(gateway, 'gateway.config_reloaded').length).toBe(1);
    expect(ofEvent(gateway, 'tool.call_completed')).toEqual([]);
    await send(`${gateway.url}/mcp`, status);
    await expect.poll(() => ofEvent(gateway, 'tool.call_completed').length).toBe(1);
    await gateway.configure({ logLevel: 'error' });
    await expect.poll(async () => (await send(`${gateway.url}/mcp`, status)).status).toBe(200);
  });
});

test('LOG_LEVEL hides lower levels', async () => {
  await using gateway = await serve(directory, {}, { env: { LOG_LEVEL: 'error' } });
  await gateway.ready();
  await gateway.end('SIGTERM');
  expect(lines(gateway)).toEqual([]);
});

test('an invalid change of the configuration is logged', async () => {
  await using gateway = await serve(directory, {});
  await gateway.configure('{ "server": { "prot": 1 } }');
  await expect.poll(() => ofEvent(gateway, 'gateway.config_rejected')[0]).toMatchObject({ level: 'error' });
  expect(ofEvent(gateway, 'gateway.config_rejected')[0]?.msg).toContain('server.prot');
});

test('repeated refusals are logged once', async () => {
  await using gateway = await serve(directory, {});
  const { headers, body } = modern('tools/list');
  for (let round = 0; round < 10; round++)
    await send(`${gateway.url}/mcp`, { headers: { ...headers, host: 'evil.example' }, body });
  await expect.poll(() => ofEvent(gateway, 'auth.refused').length).toBe(1);
  await gateway.end('SIGTERM');
  expect(ofEvent(gateway, 'auth.refused')).toMatchObject([{ level: 'warn', address: '127.0.0.1' }]);
});

test('files that others can read are logged with the chmod that fixes it', async () => {
  await using first = await serve(directory, { mcpServers: {} });
  await first.end('SIGTERM');
  const home = join(directory, 'home');
  await chmod(home, 0o755);
  await writeFile(join(home, '.env'), 'N8N_API_KEY=canary-of-dotenv', { mode: 0o644 });
  const config = { n8n: { default: { apiKey: 'canary-written-down' } } };
  await using gateway = await serve(directory, config);
  for (const command of [`chmod 700 ${home}`, `chmod 600 ${home}/.env`, `chmod 600 ${home}/sluice.json`])
    await expect.poll(() => gateway.output()).toContain(command);
  expect(gateway.output()).not.toContain('canary');
});

test('secrets from every source appear in no log, event or trace', async () => {
  const secrets = {
    header: 'canary-header-Zq81',
    dotenv: 'canary-dotenv-Zq82',
    environment: 'canary-environment-Zq83',
    argument: 'canary-argument-Zq84',
    collector: 'canary-collector-Zq85',
    url: 'canary-url-Zq86',
    client: 'canary-client-Zq87',
  };
  const home = join(directory, 'home');
  await using reference = await startReference('http', 'legacy');
  const target = reference.entry.url;
  await mkdir(home);
  await writeFile(join(home, '.env'), `SOME_VALUE=${secrets.dotenv}`);
  await using gateway = await serve(
    directory,
    {
      mcpServers: {
        ref: { url: target, headers: { Authorization: `Bearer ${secrets.header}` } },
        broken: {
          command: process.execPath,
          args: ['-e', `console.error(process.env.TOKEN, process.env.OTHER); process.exit(1)`],
          env: { TOKEN: secrets.environment, OTHER: '${SOME_VALUE}' },
        },
        far: { url: `http://user:${secrets.url}@127.0.0.1:9/mcp` },
      },
    },
    {
      env: {
        LOG_LEVEL: 'debug',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secrets.collector}`,
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      },
    },
  );
  await gateway.ready();
  await using client = await connectV2(gateway, { headers: { cookie: `session=${secrets.client}` } });
  await callTool(client, 'ref__whoami', { password: secrets.argument, token: secrets.argument });
  await callTool(client, 'gateway_restart_server', { name: secrets.argument });
  await callTool(client, `no_such_${secrets.argument}`).catch(() => {});
  await expect.poll(() => gateway.output()).toContain('Cannot send traces');
  await gateway.end('SIGTERM');
  const kept = (await readdir(home)).filter((name) => !['sluice.json', 'sluice.sock', '.env'].includes(name));
  const files = await Promise.all(kept.map((name) => readFile(join(home, name), 'latin1').catch(() => '')));
  const everything = [gateway.output(), ...files].join('\n');
  expect(everything).toContain('gateway_restart_server');
  expect(gateway.output(), 'what the broken server printed').toContain('[redacted]');
  for (const [where, secret] of Object.entries(secrets)) expect(everything.includes(secret), where).toBe(false);
});
