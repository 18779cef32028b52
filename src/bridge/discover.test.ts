import { describe, expect, it } from 'vitest';
import { type Workflow, workflowShape } from '../n8n/client/shapes.ts';
import { GENERATED_PREFIX, isGenerated, markNote } from '../n8n/generated.ts';
import { discover } from './discover.ts';
import type { BridgeSettings } from './settings.ts';

const settings: BridgeSettings = {
  enabled: true,
  apply: 'ask',
  workflows: { tag: 'mcp', include: [], exclude: [], availableInMCP: true, outputSchema: 'none' },
  tools: { tag: '', workflows: [], include: [], exclude: [] },
  projects: { include: [], exclude: [] },
  discovery: 'poll',
  poll: 1000,
  scan: 1000,
  timeout: 1000,
  timeouts: {},
};

const node = (name: string, type: string, more: object = {}) => ({
  id: name,
  name,
  type,
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
  ...more,
});
const toTool = (to: string) => ({ ai_tool: [[{ node: to, type: 'ai_tool', index: 0 }]] });

function workflow(nodes: object[], connections: object, more: object = {}): Workflow {
  return workflowShape.parse({ id: 'w', name: 'W', nodes, connections, tags: [{ id: 't', name: 'mcp' }], ...more });
}

const lc = '@n8n/n8n-nodes-langchain.';
const agent = node('Agent', `${lc}agent`);
const tools = (found: Workflow, change: Partial<BridgeSettings> = {}) => discover(found, { ...settings, ...change });

describe('discovery', () => {
  it('finds every node that is connected as a tool, with its sub-nodes', () => {
    const found = tools(
      workflow(
        [
          agent,
          node('Store', `${lc}vectorStoreInMemory`),
          node('Embed', `${lc}embeddingsOpenAi`),
          node('Calc', `${lc}toolCalculator`),
        ],
        {
          Store: toTool('Agent'),
          Calc: toTool('Agent'),
          Embed: { ai_embedding: [[{ node: 'Store', type: 'ai_embedding', index: 0 }]] },
        },
      ),
    );
    expect(found?.aiTools.map(({ node: { name }, closure }) => [name, closure.map((one) => one.name)])).toEqual([
      ['Store', ['Embed']],
      ['Calc', []],
    ]);
    expect(found?.toolsChosen).toBe('tag');
  });

  it('ignores disabled nodes and connections to missing nodes', () => {
    const found = tools(
      workflow([agent, node('Off', 'x.y', { disabled: true }), node('Lost', 'x.y')], {
        Off: toTool('Agent'),
        Lost: toTool('Gone'),
      }),
    );
    expect(found).toBeUndefined();
  });

  it.each([
    ['url', "=http://x/{{ $('Chat').item.json.id }}", "$('Chat')"],
    ['url', '={{ $json.url }}', '$json'],
    ['text', '={{ $input.first().json.a }}', '$input'],
    ['text', '=a {{ $node["Chat"].json.a }}', '$node'],
  ])('a tool whose %s is %s cannot be bridged', (key, text, what) => {
    const made = node('T', 'n8n-nodes-base.httpRequestTool', { parameters: { [key]: text } });
    const [tool] = tools(workflow([agent, made], { T: toTool('Agent') }))?.aiTools ?? [];
    expect(tool?.reason).toContain(what);
    expect(tool?.reason).toContain(`parameter ${key}`);
  });

  it.each([
    ['url', "=http://x/{{ $fromAI('page', 'which', 'string') }}"],
    ['url', '=http://x/{{ $now.toISO() }}'],
    ['url', 'http://x/$json'],
    ['jsCode', '// uses $json\nreturn query'],
  ])('a tool whose %s is %s can be bridged', (key, text) => {
    const made = node('T', `${lc}toolCode`, { parameters: { [key]: text } });
    const [tool] = tools(workflow([agent, made], { T: toTool('Agent') }))?.aiTools ?? [];
    expect(tool?.reason).toBeUndefined();
  });

  it('a Code tool that reads the run of its workflow cannot be bridged', () => {
    const made = node('T', `${lc}toolCode`, { parameters: { jsCode: 'return $input.all()' } });
    expect(tools(workflow([agent, made], { T: toTool('Agent') }))?.aiTools[0]?.reason).toContain('$input');
  });

  it('a tool that needs approval by a person cannot be bridged', () => {
    const found = tools(
      workflow([agent, node('Ask', 'n8n-nodes-base.slackHitlTool'), node('Delete', 'x.deleteTool')], {
        Ask: toTool('Agent'),
        Delete: toTool('Ask'),
      }),
    );
    expect(found?.aiTools.every(({ reason }) => reason?.includes('person'))).toBe(true);
  });

  it('uses the published version, not the draft', () => {
    const live = { nodes: [agent, node('Live', 'x.y')], connections: { Live: toTool('Agent') } };
    const draft = workflow(
      [agent, node('Draft', 'x.y')],
      { Draft: toTool('Agent') },
      { active: true, activeVersion: live },
    );
    expect(tools(draft)?.aiTools.map((one) => one.node.name)).toEqual(['Live']);
  });

  it('ignores generated workflows, unless a user renamed or copied them', () => {
    const mark = markNote('x', { owner: 'o', kind: 'endpoint', hash: 'h' });
    const nodes = [agent, node('T', 'x.y', { id: 'sluice-trigger', notes: mark })];
    expect(tools(workflow(nodes, { T: toTool('Agent') }, { name: `${GENERATED_PREFIX}W` }))).toBeUndefined();
    expect(tools(workflow(nodes, { T: toTool('Agent') }))).toBeDefined();
    // A duplicate made in n8n's editor keeps name, tags and notes, but its nodes get new ids.
    const copied = [agent, node('T', 'x.y', { id: crypto.randomUUID(), notes: mark })];
    const tags = [{ id: '1', name: 'sluice-bridge' }];
    expect(isGenerated(workflow(copied, {}, { name: `${GENERATED_PREFIX}W copy`, tags }))).toBe(false);
  });

  it.each<[string, Partial<BridgeSettings>, object, string | undefined]>([
    ['a tag', {}, {}, 'tag'],
    ['nothing', {}, { tags: [] }, undefined],
    ['its name', { tools: { ...settings.tools, workflows: ['W*'] } }, { tags: [] }, 'config'],
    ['its id among workflows', { workflows: { ...settings.workflows, include: ['w'] } }, { tags: [] }, 'config'],
    [
      'a tag for AI tools only',
      { tools: { ...settings.tools, tag: 'ai' } },
      { tags: [{ id: '1', name: 'ai' }] },
      'tag',
    ],
    ['a tag, but its name is excluded', { workflows: { ...settings.workflows, exclude: ['W'] } }, {}, undefined],
    ['a tag, but it is archived', {}, { isArchived: true }, undefined],
    ['a tag, but in another project', { projects: { include: ['p1'], exclude: [] } }, {}, undefined],
    [
      '"Available in MCP", which is only for the workflow',
      {},
      { tags: [], settings: { availableInMCP: true } },
      undefined,
    ],
  ])('AI tools chosen by %s', (_, change, more, chosen) => {
    const found = tools(workflow([agent, node('T', 'x.y')], { T: toTool('Agent') }, more), change);
    expect(found?.toolsChosen).toBe(chosen);
  });

  it('a node may be called __proto__', () => {
    const connections = JSON.parse(
      '{"__proto__":{"ai_tool":[[{"node":"Agent","type":"ai_tool","index":0}]]}}',
    ) as object;
    const found = tools(workflow([agent, node('__proto__', 'x.y'), node('constructor', 'x.y')], connections));
    for (const { node: one } of found?.aiTools ?? []) expect(one.name).toBe('__proto__');
    expect(({} as Record<string, unknown>).ai_tool).toBeUndefined();
  });
});
