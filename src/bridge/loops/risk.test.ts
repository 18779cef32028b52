import { describe, expect, test } from 'vitest';
import type { Json } from '../../kernel/source.ts';
import type { Node } from '../../n8n/client/shapes.ts';
import { leadsOf } from './leads.ts';
import { type LeadingTool, risksOf } from './risk.ts';

const own = ['http://127.0.0.1:3500', 'https://sluice.example.com'];
const node = (type: string, parameters: Json, more: Partial<Node> = {}): Node => ({
  name: type,
  type: `n8n-nodes-base.${type}`,
  parameters,
  ...more,
});
const client = (parameters: Json): Node => node('mcpClientTool', parameters);
const subWorkflow = (id: string): Node =>
  node('executeWorkflow', { workflowId: { __rl: true, mode: 'id', value: id } });

/** `workflows` by name, each a tool run_<name>; `tools` are AI tools and their nodes. */
function risks(workflows: Record<string, Node[]>, tools: Record<string, Node[]> = {}) {
  const leads = new Map(
    Object.entries(workflows).flatMap(([id, nodes]) => {
      const found = leadsOf(nodes);
      return found ? [[id, found] as const] : [];
    }),
  );
  const all: LeadingTool[] = [
    ...Object.keys(workflows).map((id) => ({ key: `run_${id}`, name: `run_${id}`, source: 'run', workflows: [id] })),
    ...Object.entries(tools).map(([name, nodes]) => ({
      key: name,
      name,
      source: name.split('__')[0] as string,
      workflows: [],
      leads: leadsOf(nodes),
    })),
  ];
  return risksOf(all, leads, own);
}
const back = (...given: Parameters<typeof risks>) =>
  [...risks(...given)].flatMap(([key, { comesBack }]) => (comesBack ? [key] : []));
const endpointUrl = 'http://localhost:3500/mcp';

describe('workflows that can call themselves', () => {
  test('through an MCP client that points at us, by any name of this machine', () => {
    for (const url of [endpointUrl, 'http://[::1]:3500/mcp', 'https://sluice.example.com/mcp', '={{ $env.URL }}'])
      expect(back({ a: [client({ endpointUrl: url })] }), url).toEqual(['run_a']);
    expect(back({ a: [client({ sseEndpoint: 'http://127.0.0.1:3500/sse' })] })).toEqual(['run_a']);
  });

  test('not through one that points elsewhere, at nothing, or is disabled', () => {
    for (const url of ['http://localhost:3501/mcp', 'https://example.com/mcp', undefined])
      expect(back({ a: [client({ endpointUrl: url })] })).toEqual([]);
    expect(back({ a: [{ ...client({ endpointUrl }), disabled: true }] })).toEqual([]);
  });

  test.each([
    [{ include: 'selected', includeTools: ['run_b'] }, []],
    [{ include: 'selected', includeTools: ['run_a'] }, ['run_a']],
    [{ include: 'selected', includeTools: ['call_tool'] }, ['run_a']],
    [{ include: 'selected', includeTools: ['run_call'] }, ['run_a']],
    [{ include: 'selected', includeTools: ['other_call'] }, []],
    [{ include: 'except', excludeTools: ['run_a'] }, []],
    [{ tool: { value: 'run_a' } }, ['run_a']],
    [{ tool: { value: 'other' } }, []],
    [{ tool: { value: '={{ $json.tool }}' } }, ['run_a']],
  ])('only through tools that the client may use: %j', (parameters, expected) => {
    expect(back({ a: [client({ endpointUrl, ...parameters })] })).toEqual(expected);
  });

  test('through other tools', () => {
    const to = (name: string) => [client({ endpointUrl, tool: { value: name } })];
    expect(back({ a: to('run_b'), b: to('run_c'), c: to('run_a'), d: to('run_a') })).toEqual([
      'run_a',
      'run_b',
      'run_c',
    ]);
  });

  test('through workflows that they run inside n8n', () => {
    const asks = [client({ endpointUrl, tool: { value: 'run_a' } })];
    expect(back({ a: [subWorkflow('b')], b: [subWorkflow('c')], c: asks })).toEqual(['run_a']);
    // A workflow that runs itself inside n8n does not pass through us.
    expect(back({ a: [subWorkflow('a')] })).toEqual([]);
  });
});

describe('AI tools that can call themselves', () => {
  const runs = (id: string) => [node('toolWorkflow', { workflowId: id })];

  test('through the workflow that they run', () => {
    const asks = (name: string) => [client({ endpointUrl, tool: { value: name } })];
    expect(back({ s: asks('agent__again') }, { agent__again: runs('s') })).toEqual(['agent__again']);
    expect(back({ s: asks('agent:again') }, { agent__again: runs('s') })).toEqual(['agent__again']);
    expect(back({ s: asks('agent__other') }, { agent__again: runs('s'), agent__other: [] })).toEqual([]);
  });

  test('through workflows and AI tools in turn', () => {
    const workflows = {
      s: [client({ endpointUrl, tool: { value: 'run_t' } })],
      t: [client({ endpointUrl, include: 'selected', includeTools: ['agent__again'] })],
    };
    expect(back(workflows, { agent__again: runs('s') })).toEqual(['run_t', 'agent__again']);
  });

  test('unknown if the workflow is known only at run time', () => {
    const dark = (parameters: Json) => risks({}, { a: [node('toolWorkflow', parameters)] }).get('a');
    expect(dark({ workflowId: { value: '={{ $json.id }}' } })).toMatchObject({ unseen: true, comesBack: false });
    expect(dark({ source: 'parameter', workflowJson: '{}' })).toMatchObject({ unseen: true });
    expect(dark({ workflowId: { value: 'elsewhere' } })).toBeUndefined();
    expect(risks({}, { a: [node('toolCalculator', {})] }).get('a')).toBeUndefined();
  });
});

test.each([
  ['http://127.0.0.1:3500/api/v1/mcp/invoke', true],
  ['=http://127.0.0.1:3500/api/{{ $json.path }}', true],
  ['={{ $json.url }}', false],
  ['=http://127.0.0.1:35{{ $json.port }}/x', false],
  ['http://127.0.0.1:5678/x', false],
])('an HTTP Request node at %s leads to us: %j', (url, expected) => {
  const found = risks({ a: [node('httpRequest', { url })] }).get('run_a');
  expect(found?.overHttp ?? false).toBe(expected);
  expect(found?.comesBack ?? false).toBe(false);
});
