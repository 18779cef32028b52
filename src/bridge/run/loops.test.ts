import { describe, expect, test } from 'vitest';
import type { Json } from '../../kernel/source.ts';
import type { Node } from '../../n8n/client/shapes.ts';
import { onLoops } from './loops.ts';

const own = ['http://127.0.0.1:3500', 'https://sluice.example.com'];
const client = (parameters: Json): Node => ({ name: 'c', type: '@n8n/n8n-nodes-langchain.mcpClientTool', parameters });
const caller = (key: string, ...clients: Node[]) => ({ key, tool: `run_${key}`, clients });
const loops = (...callers: ReturnType<typeof caller>[]) => [...onLoops(callers, own)];

describe('workflows that can come back to themselves', () => {
  test('by an MCP client that points at us, under whatever name this machine has', () => {
    for (const endpointUrl of [
      'http://localhost:3500/mcp',
      'http://[::1]:3500/mcp',
      'https://sluice.example.com/mcp',
      '={{ $env.URL }}',
    ])
      expect(loops(caller('a', client({ endpointUrl }))), endpointUrl).toEqual(['a']);
    expect(loops(caller('a', client({ sseEndpoint: 'http://127.0.0.1:3500/sse' })))).toEqual(['a']);
  });

  test('not by one that points elsewhere, or at nothing', () => {
    for (const endpointUrl of ['http://localhost:3501/mcp', 'https://example.com/mcp', 'nonsense', undefined])
      expect(loops(caller('a', client({ endpointUrl })))).toEqual([]);
  });

  test('only by tools that the client may use', () => {
    const endpointUrl = 'http://localhost:3500/mcp';
    expect(loops(caller('a', client({ endpointUrl, include: 'selected', includeTools: ['run_b'] })))).toEqual([]);
    expect(loops(caller('a', client({ endpointUrl, include: 'selected', includeTools: ['run_a'] })))).toEqual(['a']);
    expect(loops(caller('a', client({ endpointUrl, include: 'selected', includeTools: ['call_tool'] })))).toEqual([
      'a',
    ]);
    expect(loops(caller('a', client({ endpointUrl, include: 'except', excludeTools: ['run_a'] })))).toEqual([]);
    expect(loops(caller('a', client({ endpointUrl, tool: { value: 'run_a' } })))).toEqual(['a']);
    expect(loops(caller('a', client({ endpointUrl, tool: { value: 'other' } })))).toEqual([]);
  });

  test('over others', () => {
    const to = (name: string) => client({ endpointUrl: own[0], tool: { value: name } });
    expect(
      loops(caller('a', to('run_b')), caller('b', to('run_c')), caller('c', to('run_a')), caller('d', to('run_a'))),
    ).toEqual(['a', 'b', 'c']);
  });
});
