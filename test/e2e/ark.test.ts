import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { startReference } from '../integration/harness.ts';
import { createController } from '../support/ark/controller.ts';
import { createService } from '../support/ark/kubernetes-service.ts';
import { exported, pollThroughRestarts, token } from '../support/ark/polls.ts';
import { resource } from '../support/ark/schema.ts';
import { createPlace, reference } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { postgresIsMissing } from '../support/postgres.ts';
import { scratch } from '../support/processes.ts';
import { serve } from '../support/serve-process.ts';

describe.skipIf(postgresIsMissing)('ARK and two replicas', () => {
  test('1,000 polls while servers crash, replicas restart and tools change: no tool is deleted wrongly', async () => {
    const { polls, restarts, crashes, changes, wrong, missed } = await pollThroughRestarts({
      polls: 1000,
      restarts: 2,
    });
    console.log(JSON.stringify({ polls, restarts, crashes, changes }));
    expect({ wrong, missed }).toEqual({ wrong: [], missed: [] });
    expect(changes).toBeGreaterThan(0);
    expect(crashes).toBeGreaterThan(0);
  }, 120_000);
});

describe('ARK and one Sluice', () => {
  test('keeps its tools over a short restart, also those of a server that is gone; loses them over a long one', async () => {
    await using files = await scratch();
    const gone = await startReference('http', 'both');
    const config = {
      mcpServers: { steady: reference, gone: gone.entry },
      toolsets: { ark: { include: ['steady__*', 'gone__*'] } },
    };
    const place = { env: { MCP_AUTH_TOKEN: token }, port: await freePort() };
    using service = createService();
    service.add(place);
    using ark = createController({
      server: exported('http://127.0.0.1:1/mcp/ark?expose=flat'),
      secrets: { 'mcp-auth-token': { token } },
      agent: service.agent,
    });
    const start = () => serve(join(files.directory, 'one'), config, place);
    const endpoints = async (count: number) => {
      await expect.poll(() => service.endpoints(), { timeout: 20_000, interval: 20 }).toBe(count);
    };

    await using first = await start();
    await endpoints(1);
    await ark.poll();
    const names = [...ark.tools.keys()];
    expect(names).toContain('sluice-gone--echo');
    expect(ark.available().status).toBe('True');

    await gone[Symbol.asyncDispose]();
    await first.end('SIGTERM');
    const during = ark.poll();
    await using second = await start();
    await during;
    expect([...ark.tools.keys()]).toEqual(names);
    expect(ark.deletions).toEqual([]);

    await second.end('SIGTERM');
    await endpoints(0);
    await ark.poll(20);
    expect(ark.available()).toMatchObject({ status: 'False', reason: 'ClientCreationFailed' });
    expect(ark.tools.size).toBe(0);
    await using _third = await start();
    await endpoints(1);
    await ark.poll();
    expect([...ark.tools.keys()].sort()).toEqual([...names].sort());
  }, 120_000);

  test('takes more tools than a page has elsewhere, and asks for them once', async () => {
    await using gateway = await place({ mcpServers: { one: reference, two: reference, three: reference } });
    using ark = createController({ server: exported(`${gateway.url}/mcp?expose=flat`) });
    await ark.poll();
    expect(ark.tools.size).toBeGreaterThan(150);
  });
});

async function place(config: object) {
  const files = await scratch();
  const served = await serve(files.directory, config);
  await served.ready();
  return {
    url: served.url,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
    },
  };
}

describe('sluice export ark', () => {
  test('prints what ARK takes, for a gateway that runs here, and says what else the cluster needs', async () => {
    await using user = await createPlace({
      mcpServers: { ref: reference },
      toolsets: { ark: { include: ['ref__e*'] } },
    });
    await using _served = await user.serve();
    const server = '--service sluice.tools:http --toolset ark --name gw --namespace agents --secret key/bearer';
    const agent = ['--agent', 'echoer', '--tools', '*echo', '--query', 'Say hello'];
    const { code, stdout, stderr } = await user.run(['export', 'ark', ...server.split(' '), ...agent]);
    expect([code, parseAllDocuments(stdout).map((one) => resource.parse(one.toJS()))]).toEqual([
      0,
      [
        {
          apiVersion: 'ark.mckinsey.com/v1alpha1',
          kind: 'MCPServer',
          metadata: { name: 'gw', namespace: 'agents' },
          spec: {
            description: 'Tools of Sluice',
            transport: 'http',
            address: {
              valueFrom: {
                serviceRef: { name: 'sluice', namespace: 'tools', port: 'http', path: 'mcp/ark?expose=flat' },
              },
            },
            authorization: { tokenSecretRef: { name: 'key', accessTokenKey: 'bearer' } },
            timeout: '60s',
            toolCallTimeout: '5m',
            pollInterval: '1m',
          },
        },
        expect.objectContaining({
          kind: 'Agent',
          spec: expect.objectContaining({
            modelRef: { name: 'default' },
            tools: [{ type: 'mcp', name: 'gw-ref--echo' }],
          }),
        }),
        expect.objectContaining({
          kind: 'Query',
          spec: { input: 'Say hello', target: { type: 'agent', name: 'echoer' } },
        }),
      ],
    ]);
    expect(stderr).toContain('SLUICE_ALLOWED_HOSTS=sluice.tools.svc.cluster.local');
    expect(stderr).toContain('kubectl -n agents create secret generic key --from-literal=bearer=');
    expect(stderr).not.toContain('Warning');

    const wrong = await user.run(['export', 'ark', '--toolset', 'arc']);
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('there is no toolset arc') });
  });

  test('prints what docs/ark.md shows, without a gateway', async () => {
    await using user = await createPlace();
    const page = await readFile(new URL('../../docs/ark.md', import.meta.url), 'utf8');
    const shown = /^```yml\n(.*?kind: Query.*?)^```$/ms.exec(page)?.[1];
    const agent = ['--agent', 'calculator', '--tools', 'support_agent__Calculator', '--query', 'What is 25 * 42?'];
    const { stdout } = await user.run(['export', 'ark', '--service', 'n8n-mcp.default', ...agent]);
    expect(stdout).toBe(shown);
  });

  test('needs no gateway for tools that are named in full', async () => {
    await using user = await createPlace();
    const agent = ['--agent', 'calculator', '--tools', 'support_agent__Calculator'];
    const made = await user.run(['export', 'ark', '--service', 'n8n-mcp.default:8080', ...agent]);
    const [server, printed] = parseAllDocuments(made.stdout).map((one) => resource.parse(one.toJS()));
    expect(server?.spec).toMatchObject({
      address: { value: 'http://n8n-mcp.default.svc.cluster.local:8080/mcp?expose=flat' },
    });
    expect(printed?.spec).toMatchObject({ tools: [{ name: 'sluice-support-agent--calculator' }] });
    expect(made.stderr).toContain('did not check which tools there are');
  });

  test.each([
    [['--query', 'hello'], '--query needs --agent'],
    [['--name', 'My Server'], '--name must be lower-case letters'],
    [['--secret', 'Bearer slc_abc'], 'the name of a Secret and its key, not the token'],
    [['--service', 'a b'], '--service looks like'],
    [['--service', 'sluice:3500'], 'needs the namespace'],
    [['--service', 'sluice', '--url', 'http://x'], 'not both'],
    [['--toolset', '../x'], '--toolset names a toolset'],
  ])('refuses %j', async (given, why) => {
    await using user = await createPlace();
    const { code, stdout, stderr } = await user.run(['export', 'ark', ...given]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(why);
  });
});
