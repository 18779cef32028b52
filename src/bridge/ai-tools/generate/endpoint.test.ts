import { describe, expect, it } from 'vitest';
import { workflowShape } from '../../../n8n/client/shapes.ts';
import { markOf } from '../../../n8n/generated.ts';
import { aiToolsOf } from '../ai-tools.ts';
import { endpointWorkflow, serverNameOf } from './endpoint.ts';

const node = (name: string, type: string, more: object = {}) => ({
  id: name,
  name,
  type,
  typeVersion: 1,
  position: [1, 2],
  parameters: {},
  ...more,
});
const to = (kind: string, ...names: string[]) => ({
  [kind]: [names.map((name) => ({ node: name, type: kind, index: 0 }))],
});

const source = workflowShape.parse({
  id: 'w',
  name: 'My agent',
  nodes: [
    node('Agent', 'x.agent'),
    node('Papers', 'x.store', { credentials: { api: { id: 'c1', name: 'C' } }, notes: 'private', webhookId: 'h' }),
    node('Books', 'x.store'),
    node('Embed', 'x.embed'),
  ],
  connections: {
    Papers: to('ai_tool', 'Agent'),
    Books: to('ai_tool', 'Agent'),
    Embed: to('ai_embedding', 'Papers', 'Books'),
  },
});

function endpoint(change: { name?: string; names?: string[] } = {}) {
  const found = aiToolsOf(source);
  const names = change.names ?? ['papers_tool', 'Embed'];
  const tools = found.map((one, index) => ({ key: one.node.name, name: names[index] as string, found: one }));
  return endpointWorkflow({
    source: { id: 'w', name: change.name ?? 'My agent' },
    tools,
    path: 'p',
    credential: { id: 'c', name: 'n' },
    mark: { owner: 'o', part: 'tools' },
  });
}

describe('a generated endpoint', () => {
  const { body, hash } = endpoint();

  it('carries our mark and the workflow it was made from', () => {
    expect(markOf({ ...body, tags: [] })).toEqual({ owner: 'o', kind: 'endpoint', source: 'w', part: 'tools', hash });
    expect(body.name).toBe('[sluice] My agent');
  });

  it('copies tools under their names, with credentials, without notes and webhook ids', () => {
    const papers = body.nodes.find(({ name }) => name === 'papers_tool');
    expect(papers).toMatchObject({ type: 'x.store', credentials: { api: { id: 'c1' } } });
    expect(papers).not.toHaveProperty('notes');
    expect(papers).not.toHaveProperty('webhookId');
  });

  it('copies a shared sub-node once, and uses no name twice', () => {
    const embeds = body.nodes.filter(({ type }) => type === 'x.embed');
    expect(embeds.map(({ name }) => name)).toEqual(['Embed (sub)']);
    expect(body.connections['Embed (sub)']?.ai_embedding?.[0]?.map((one) => one.node)).toEqual([
      'papers_tool',
      'Embed',
    ]);
    expect(new Set(body.nodes.map(({ name }) => name)).size).toBe(body.nodes.length);
  });

  it('connects every tool to the trigger only', () => {
    for (const name of ['papers_tool', 'Embed'])
      expect(body.connections[name]?.ai_tool).toEqual([[{ node: serverNameOf(hash), type: 'ai_tool', index: 0 }]]);
  });

  it('requires the secret header, and keeps no data of successful calls', () => {
    expect(body.nodes[0]).toMatchObject({
      parameters: { authentication: 'headerAuth' },
      credentials: { httpHeaderAuth: { id: 'c' } },
    });
    expect(body.settings).toMatchObject({ saveDataSuccessExecution: 'none' });
  });

  it('has a hash that changes only when something changes', () => {
    expect(endpoint().hash).toBe(hash);
    expect(endpoint({ names: ['a', 'b'] }).hash).not.toBe(hash);
    expect(endpoint({ name: 'Other' }).hash).not.toBe(hash);
  });
});
