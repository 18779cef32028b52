import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { startReference } from '../integration/harness.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { createPlace, reference } from '../support/command-line.ts';

/** One secret for each place where one can be planted; none may show up where it does not belong. */
const canary = {
  dotenv: 'canary-dotenv-5f1d7c0b',
  header: 'canary-header-98a2e6d1',
  urlQuery: 'canary-query-0c4b7a35',
  childEnv: 'canary-child-e71f2d90',
  crashing: 'canary-stderr-7b60c8fa',
  webhook: 'canary-webhook-a4c1e9d3',
  token: 'canary-token-b8f3d2e7c6a1',
  argument: 'canary-argument-1e8d4f6a',
  badArgument: 'canary-refused-6c2b9d05',
  unknown: 'canary-unknown-f0a3b7c4',
  result: 'canary-result-2d5c8e91',
  added: 'canary-added-c3e7f1b6',
  callerKey: 'canary-caller-9b4d0e72',
};

async function filesIn(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = files.join('\n');
  const contents = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  return [names, ...contents].join('\n');
}

test('planted secrets are in no log, event, error, trace, metric, webhook or file', async () => {
  await using backend = await startReference('http', 'both');
  await using receiver = await startReceiver();
  await using collector = await startOtlpReceiver();
  await using place = await createPlace({
    auth: { mode: 'keys' },
    logLevel: 'debug',
    gateway: { allowInternalUrls: true },
    events: { jsonl: 'events', webhook: { url: receiver.url, secret: canary.webhook } },
    mcpServers: {
      http: {
        url: `${backend.entry.url}?key=${canary.urlQuery}`,
        headers: { Authorization: `Bearer ${canary.header}`, 'X-From-Env': '${FROM_DOTENV}' },
      },
      child: { ...reference, env: { TOKEN: canary.childEnv } },
      crashing: {
        command: process.execPath,
        args: ['-e', 'console.error("my token is " + process.env.SECRET); process.exit(1)'],
        env: { SECRET: canary.crashing },
      },
      away: { url: `http://127.0.0.1:9/mcp?token=${canary.urlQuery}`, headers: { Authorization: canary.header } },
    },
  });
  await writeFile(join(place.project, '.env'), `FROM_DOTENV=${canary.dotenv}\n`, { mode: 0o600 });
  const served = place.start(['serve', '--port', '0'], {
    env: {
      MCP_AUTH_TOKEN: canary.token,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
  await served.printed('Ready:');
  const { url } = JSON.parse((await place.run(['status', '--json'])).stdout) as { url: string };
  const base = url.replace(/\/mcp$/, '');
  const headers = { authorization: `Bearer ${canary.token}`, 'content-type': 'application/json' };
  const answers: string[] = [];
  const post = async (method: string, params: object, more: Record<string, string> = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const text = await (await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })).text();
    answers.push(text);
    return text;
  };
  const call = (name: string, args: object, more = {}) => post('tools/call', { name, arguments: args }, more);

  // It works, and the caller gets back their own.
  expect(await call('http__echo', { text: canary.result })).toContain(canary.result);
  expect(await call('child__echo', { text: canary.argument })).toContain(canary.argument);
  answers.length = 0;
  await call('http__echo', { wrong: canary.badArgument });
  await call('gateway_status', { [canary.badArgument]: true });
  await call('crashing__anything', { text: canary.argument });
  await call('away__anything', { text: canary.argument });
  await call('http__fail', { kind: 'rpc', text: canary.argument });
  await call('http__whoami', {}, { 'x-canary': canary.callerKey, cookie: `session=${canary.callerKey}` });
  await call('gateway_add_server', {
    name: 'added',
    server: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: `Bearer ${canary.added}` } },
  });
  await post('resources/read', { uri: `file:///${canary.unknown}` });
  await fetch(`${base}/api/v1/mcp/invoke`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'http__echo', arguments: { text: canary.argument } }),
  });
  await fetch(url, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${canary.callerKey}` },
    body: '{}',
  });
  await fetch(`${base}/mcp?token=${canary.callerKey}`, { method: 'POST', headers: {}, body: '{}' });

  const read = async (path: string) => (await fetch(`${base}${path}`, { headers })).text();
  const shown = [
    await read('/api/v1/status'),
    await read('/metrics'),
    await read('/'),
    await read('/openapi.json'),
    await call('gateway_status', {}),
    (await place.run(['status'])).stdout,
    (await place.run(['doctor'])).stdout,
    (await place.run(['events', '--since', '1h', '--json'])).stdout,
  ];
  expect(shown[7]).toContain('tool.call_failed');
  await expect.poll(() => receiver.events.some(({ event_type: type }) => type === 'tool.call_failed')).toBe(true);
  await expect.poll(() => collector.spans.length).toBeGreaterThan(3);
  served.child.kill('SIGTERM');
  const { stdout, stderr, code } = await served.finished;
  expect(code).toBe(0);

  const places = {
    stdout,
    stderr,
    shown: shown.join('\n'),
    traces: collector.raw(),
    webhook: receiver.requests.map(({ headers: sent, body }) => `${JSON.stringify(sent)}\n${body}`).join('\n'),
    home: await filesIn(place.home),
    events: await filesIn(join(place.project, 'events')),
  };
  expect(places.events).toContain('tool.call_completed');
  for (const [where, text] of Object.entries(places)) {
    for (const [kind, secret] of Object.entries(canary))
      expect(text.includes(secret), `${kind} in ${where}`).toBe(false);
  }
  // An error may name what its own caller wrote, but nothing of anybody else.
  const theirs = new Set(['argument', 'badArgument', 'unknown', 'dotenv', 'header']);
  for (const [kind, secret] of Object.entries(canary)) {
    if (theirs.has(kind)) continue;
    expect(answers.join('\n').includes(secret), `${kind} in an answer`).toBe(false);
  }
}, 60_000);
