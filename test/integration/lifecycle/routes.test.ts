import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { type CallResult, type Json, modern, send, startGateway, textOf } from '../harness.ts';
import { backendOf, call, errorOf, statusOf } from '../../support/plain-calls.ts';
import { odd, scratch } from '../../support/processes.ts';
import { serve } from '../../support/serve-process.ts';

test('a rule sends a tool to one server or another by its arguments', async () => {
  await using files = await scratch();
  await using gateway = await startGateway({
    mcpServers: {
      small: odd('--journal', files.path('small')),
      large: odd('--journal', files.path('large')),
    },
    gateway: {
      routes: [
        { tool: 'small__echo', when: { 'job.size': 'x*' }, to: 'large' },
        { tool: 'small__*', when: { urgent: true }, to: 'large' },
        { tool: 'small__echo', when: { text: 'nowhere' }, to: 'large' },
      ],
    },
  });
  const served = () => [files.lines('small').length, files.lines('large').length];
  const echo = (args: object) => call(gateway.url, 'small__echo', { text: 'x', ...args });

  expect(textOf(await echo({}))).toBe('x');
  expect(served()).toEqual([1, 0]);
  expect(textOf(await echo({ job: { size: 'xl' } }))).toBe('x');
  expect(served()).toEqual([1, 1]);
  await echo({ job: { size: 'm' } });
  await echo({ urgent: 'true' });
  expect(served()).toEqual([3, 1]);
  await echo({ urgent: true });
  await call(gateway.url, 'small__write', { text: 'y', urgent: true });
  expect(served()).toEqual([3, 3]);

  // Changing the rules restarts no server.
  const pids = gateway.runtime.apis.gateway.backends().flatMap((backend) => backend.pids);
  await gateway.reload({
    mcpServers: { small: odd('--journal', files.path('small')), large: odd('--journal', files.path('large')) },
  });
  await echo({ urgent: true });
  expect(served()).toEqual([4, 3]);
  expect(gateway.runtime.apis.gateway.backends().flatMap((backend) => backend.pids)).toEqual(pids);
});

test('a rule cannot reach a tool outside the toolset', async () => {
  await using files = await scratch();
  const server = (name: string) => odd('--journal', files.path(name));
  await using gateway = await startGateway({
    mcpServers: { small: server('small'), large: server('large') },
    toolsets: { little: { include: ['small__*'] }, everything: {} },
    gateway: { routes: [{ tool: 'small__echo', when: { urgent: true }, to: 'large' }] },
  });
  const echo = async (path: string, name: string, args: Json) => {
    const { messages } = await send(`${gateway.url}${path}`, modern('tools/call', { name, arguments: args }));
    return messages.at(-1)?.result as CallResult;
  };
  const urgent = { text: 'x', urgent: true };

  const refused = { isError: true, content: [{ text: expect.stringContaining('not in this toolset') as string }] };
  expect(await echo('/mcp/little', 'small__echo', urgent)).toMatchObject(refused);
  expect(
    await echo('/mcp/little?expose=search', 'call_tool', { name: 'small__echo', arguments: urgent }),
  ).toMatchObject(refused);
  expect(await echo('/mcp/little?expose=compact', 'small_call', { tool: 'echo', params: urgent })).toMatchObject(
    refused,
  );
  expect(files.lines('large')).toEqual([]);
  expect(textOf(await echo('/mcp/little', 'small__echo', { text: 'y' }))).toBe('y');
  expect(textOf(await echo('/mcp/everything', 'small__echo', urgent))).toBe('x');
  expect(files.lines('large').length).toBe(1);
});

test('the preset chora: needs its key and its command, and writes only to its directory', async () => {
  await using files = await scratch();
  const bin = files.path('bin');
  const home = files.path('home');
  await mkdir(bin);
  await mkdir(join(home, 'out'), { recursive: true });
  await symlink(files.directory, join(home, 'way-out'));
  await writeFile(
    files.path('tools'),
    JSON.stringify(['assemble_artifact', 'list'].map((name) => ({ name, inputSchema: { type: 'object' } }))),
  );
  const { command, args } = odd('--changes-tools', files.path('tools'), '--journal', files.path('journal'));
  const script = `#!/bin/sh\nprintf %s "$ANTHROPIC_API_KEY" > '${files.path('key')}'\nexec '${command}' ${args.map((arg) => `'${arg}'`).join(' ')}\n`;
  const env = { ANTHROPIC_API_KEY: 'sk-test-only', PATH: `${bin}${delimiter}${process.env.PATH}` };

  {
    await using gateway = await serve(files.directory, {}, { env: { PATH: env.PATH } });
    expect(await backendOf(gateway.url, 'chora')).toBeUndefined();
  }
  {
    await using gateway = await serve(files.directory, {}, { env });
    const { notConfigured } = await statusOf(gateway.url);
    expect(notConfigured).toContainEqual({ name: 'chora', reason: expect.stringContaining('chora-compose') });
  }
  await writeFile(join(bin, 'chora-compose'), script, { mode: 0o755 });
  await using gateway = await serve(files.directory, {}, { env });
  await expect.poll(async () => (await backendOf(gateway.url, 'chora'))?.state).toBe('RUNNING');
  expect(files.lines('key')).toEqual(['sk-test-only']);

  const assemble = (output_path: unknown) => call(gateway.url, 'chora__assemble_artifact', { output_path });
  for (const inside of ['out/a.md', 'new/dir/a.md', join(home, 'b.md')])
    expect(textOf(await assemble(inside)), inside).toBe('assemble_artifact');
  const executed = files.lines('journal').length;
  for (const outside of ['../a.md', 'out/../../a.md', '/etc/passwd', `${home}-not/a.md`, 'way-out/a.md', 7]) {
    const refused = await assemble(outside);
    expect(errorOf(refused), String(outside)).toMatchObject({ code: 'forbidden', retryable: false });
    expect(textOf(refused)).toContain('Nothing was done');
  }
  expect(textOf(await call(gateway.url, 'chora__list', { output_path: '../a.md' }))).toBe('list');
  expect(files.lines('journal')).toHaveLength(executed + 1);
});
