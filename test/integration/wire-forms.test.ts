import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hints } from '../../src/kernel/effect.ts';
import { bridgeTools } from '../../src/bridge/tools/tools.ts';
import { removeServer } from '../../src/gateway/tools/servers.ts';
import { modulesPart } from '../../src/modules/part.ts';
import { n8nTools } from '../../src/n8n/own-source.ts';
import type { ToolSource } from '../../src/kernel/source.ts';
import {
  callTool,
  connectV1,
  connectV2,
  type Json,
  type LocalReference,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from './harness.ts';
import { ask, call } from '../support/exchange.ts';
import { everyModule } from '../support/every-module.ts';

let reference: LocalReference;
let gateway: TestGateway;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway({
    gateway: { allowInternalUrls: true },
    mcpServers: { ref: reference.entry },
    n8n: { default: { url: 'http://127.0.0.1:9', apiKey: 'none' } },
    modules: everyModule,
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

function ownSources(): ToolSource[] {
  const { registry, backend } = gateway.runtime.apis.gateway;
  return registry.sources().filter(({ id }) => backend(id) === undefined);
}

const ownEntries = () => ownSources().flatMap((source) => source.entries());

describe('the wire form of our own tools', () => {
  test('matches the snapshot of each source', async () => {
    const ids = [
      'gateway',
      'nodes',
      ...Object.keys(everyModule),
      'graph',
      'memory',
      'blueprint',
      'recipe',
      'project',
      'n8n',
      'bridge',
      'run',
      'bridge-file',
    ];
    expect(ownSources().map(({ id }) => id)).toEqual(ids);
    // The user's workflows and the tools of a shared file: none here. Modules have a listing, which is tested besides.
    const ofTheUser = new Set(['run', 'bridge-file']);
    const others = ownSources().filter(({ id }) => !ofTheUser.has(id) && !Object.hasOwn(everyModule, id));
    for (const source of others) {
      const folder =
        new Map([
          ['project', 'projects'],
          ['blueprint', 'blueprints'],
          ['recipe', 'blueprints'],
        ]).get(source.id) ?? source.id;
      const file = fileURLToPath(new URL(`../../src/${folder}/__snapshots__/${source.id}.json`, import.meta.url));
      const wire = source.entries().map(({ wire: listed, outputSchema }) => ({ ...listed, outputSchema }));
      await expect(`${JSON.stringify(wire, null, 2)}\n`).toMatchFileSnapshot(file);
    }
  });

  test('says everything a client can use', () => {
    for (const { wire, effect } of ownEntries()) {
      expect(wire).toMatchObject({
        name: expect.stringMatching(/^[a-z][a-z0-9_]{2,44}$/) as string,
        title: expect.stringMatching(/^[A-Z]/) as string,
        description: expect.stringMatching(/^.{20,600}\.$/) as string,
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
        annotations: hints[effect],
      });
    }
  });

  test('every parameter is described', () => {
    const silent = ownEntries().flatMap(({ wire }) =>
      Object.entries((wire.inputSchema.properties ?? {}) as Record<string, Json>)
        .filter(([, schema]) => schema.description === undefined && schema.enum === undefined)
        .map(([name]) => `${wire.name}.${name}`),
    );
    expect(silent).toEqual([]);
  });

  test('a tool that deletes can say beforehand what it would delete', async () => {
    const modules = (await modulesPart.tools?.()) ?? [];
    const all = [removeServer, ...n8nTools, ...bridgeTools, ...modules];
    const deleting = all.filter(({ effect }) => effect === 'delete');
    expect(deleting.length).toBeGreaterThan(20);
    expect(deleting.filter(({ preview }) => !preview)).toEqual([]);
  });

  test('a tool that deletes, merges or publishes accepts a confirmation, and no other does', () => {
    const confirmed = ownEntries().filter(({ wire }) =>
      Object.hasOwn(wire.inputSchema.properties as object, 'confirm'),
    );
    expect(
      confirmed
        .filter(({ effect }) => effect !== 'delete')
        .map(({ tool }) => tool)
        .sort(),
    ).toEqual([
      'blueprint_deploy',
      'blueprint_resume',
      'github_approve_pull',
      'github_merge_pull',
      'github_publish_release',
      'n8n_install_community_package',
      'n8n_invite_users',
      'n8n_pull_source_control',
      'n8n_push_source_control',
      'n8n_request',
      'n8n_set_user_role',
      'n8n_update_community_package',
      'n8n_update_data_table',
      'recipe_run',
      'uptimekuma_add_status_page',
      'uptimekuma_post_incident',
      'uptimekuma_save_status_page',
    ]);
    expect(ownEntries().filter(({ effect, confirm }) => effect === 'delete' && !confirm)).toEqual([]);
    expect(confirmed.filter(({ confirm }) => !confirm)).toEqual([]);
  });
});

describe('the size of the tool list', () => {
  const KB = 1000;
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  const listed = async (view = '') => (await ask(`${gateway.mcp}${view}`, 'tools/list')).result.tools as Json[];
  const isOfModule = (name: string) => Object.keys(everyModule).some((id) => name.startsWith(`${id}_`));
  const own = (tools: readonly Json[]) => tools.filter(({ name }) => !String(name).startsWith('ref__'));

  /** Whose tools only read. */
  const readers = new Set(['prometheus', 'traefik']);

  test('of every module is at most 600 bytes', async () => {
    const tools = own(await listed()).filter(({ name }) => isOfModule(String(name)));
    for (const id of Object.keys(everyModule)) {
      const wrappers = tools.filter(({ name }) => String(name).startsWith(`${id}_`));
      const verbs = wrappers.map(({ name }) => String(name).slice(id.length + 1));
      expect(verbs, id).toEqual(readers.has(id) ? ['list', 'call'] : ['list', 'call', 'read']);
      expect(bytesOf(wrappers), id).toBeLessThanOrEqual(600);
      // Nothing of the line that says what is inside is cut.
      expect(wrappers[0]?.description).not.toContain('…');
    }
    expect(bytesOf(tools)).toBeLessThanOrEqual(16 * KB);
  });

  test('with n8n connected is at most 22 KB', async () => {
    const tools = own(await listed()).filter(({ name }) => !isOfModule(String(name)));
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['gateway_status', 'search_nodes', 'n8n_call']),
    );
    expect(bytesOf(tools), sizes(tools)).toBeLessThanOrEqual(22 * KB);
  });

  test('is at most 8 KB per tool, listed or described', async () => {
    const tools = own(await listed('?expose=flat'));
    expect(tools.length).toBeGreaterThan(65);
    expect(tools.filter((tool) => bytesOf(tool) > 8 * KB).map(({ name }) => name)).toEqual([]);
    for (const { name } of tools) {
      const { result } = await call(`${gateway.mcp}?expose=search`, 'describe_tools', { names: [name] });
      const { tools: described } = JSON.parse(textOf(result)) as { tools: Json[] };
      expect(described).toMatchObject([{ name, outputSchema: { type: 'object' } }]);
      expect(bytesOf(described[0]), String(name)).toBeLessThanOrEqual(8 * KB);
    }
  });

  function sizes(tools: readonly Json[]): string {
    return tools.map((tool) => `${bytesOf(tool)} ${String(tool.name)}`).join('\n');
  }
});

describe.each(['legacy', 'modern'] as const)('the answers of our own tools (%s)', (era) => {
  const calls: [string, Json][] = [
    ['gateway_status', {}],
    ['gateway_status', { server: 'ref' }],
    ['gateway_usage', {}],
    ['gateway_usage', { by: 'key', since: '1h', limit: 2 }],
    ['get_events', {}],
    ['get_events', { audit: true, source: 'ref', principal: 'local', text: 'x' }],
    ['get_events', { event_type: 'gateway.*', since: '1h', limit: 2 }],
    ['gateway_add_server', { name: 'added', server: { url: 'http://127.0.0.1:9/mcp' } }],
    ['gateway_restart_server', { name: 'ref' }],
    ['gateway_accept_tools', { name: 'ref' }],
    ['gateway_remove_server', { name: 'added' }],
  ];

  test('fit the output schemas, as the SDKs check them, and equal the text', async () => {
    const answer = () => ({ action: 'accept', content: {} });
    await using client =
      era === 'modern' ? await connectV2(gateway, { era, answer }) : await connectV1(gateway, { answer });
    // Both SDKs validate results against the listed schemas and throw on a mismatch.
    const { tools } = await client.listTools();
    const called = new Set<string>();
    for (const [name, args] of calls) {
      const result = await callTool(client, name, args);
      expect(result).toMatchObject({ structuredContent: expect.anything() as unknown });
      expect(result.isError).toBeUndefined();
      expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
      called.add(name);
    }
    // The tools for n8n and its nodes have their own suites.
    const ours =
      ownSources()
        .find(({ id }) => id === 'gateway')
        ?.entries() ?? [];
    expect(ours.filter(({ tool }) => !called.has(tool))).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...called]));
  });

  test.each<[string, Json, RegExp]>([
    ['gateway_status', { server: [5] }, /^gateway_status was not called: server: /],
    ['gateway_status', { sevrer: 'ref' }, /sevrer/],
    ['get_events', { since: 'yesterday' }, /yesterday is not a time. Write an ISO time or 15m, 2h, 7d/],
    ['get_events', { limit: 0 }, /limit/],
    ['gateway_usage', { since: 'yesterday' }, /yesterday is not a time/],
    ['gateway_usage', { by: 'colour' }, /by/],
    ['get_events', { cursor: 'x' }, /cursor does not belong to this query/],
    ['gateway_add_server', { name: 'ref', server: { url: 'http://127.0.0.1:9/mcp' } }, /already a source named ref/],
    [
      'gateway_add_server',
      { name: 'gateway', server: { url: 'http://127.0.0.1:9/mcp' } },
      /already a source named gateway/,
    ],
    ['gateway_add_server', { name: 'a b', server: { url: 'http://127.0.0.1:9/mcp' } }, /is not valid/],
    ['gateway_add_server', { name: 'x', server: {} }, /neither a command nor a URL/],
    ['gateway_add_server', { name: 'x', server: { command: 'sh' } }, /gateway\.allowCommands/],
    ['gateway_restart_server', { name: 'reff' }, /No server reff\. Did you mean ref\?/],
    ['gateway_accept_tools', { name: 'zzz' }, /No server zzz/],
    ['gateway_status', { server: 'zzz' }, /No server zzz\. Known: .*ref.* leave "server" out/],
  ])('%s %j is an error that tells the model what to do', async (name, args, words) => {
    await using client = era === 'modern' ? await connectV2(gateway, { era }) : await connectV1(gateway);
    const result = await callTool(client, name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(words);
  });
});
