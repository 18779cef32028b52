import { describe, expect, it } from 'vitest';
import { templateSource } from './import/source.ts';
import { workflowIn } from './workflow-in.ts';

const node = (name: string) => ({ id: name, name, type: 'n8n-nodes-base.set', typeVersion: 3.4, position: [0, 0] });

describe('the workflow in a file', () => {
  it('keeps the connections that can be read if others cannot', () => {
    const given = {
      nodes: [node('A'), node('B')],
      connections: { A: { main: [[{ node: 'B' }, { to: 'C' }], 'x'], odd: 1 }, B: null },
    };
    expect(workflowIn(given)?.connections).toEqual({ A: { main: [[{ node: 'B', type: 'main', index: 0 }], null] } });
  });

  it('has everything that an import of the same file would have', () => {
    const nodeGroups = [{ id: 'g', name: 'G', nodeIds: ['A'] }];
    const workflow = workflowIn({ id: 7, description: 'Why', nodes: [node('A')], connections: {}, nodeGroups });
    expect(workflow).toMatchObject({ nodeGroups, description: 'Why', id: '7' });
    const source = templateSource({ id: 'ours/a', name: 'A', library: 'ours', nodes: [], workflow: workflow as never });
    expect(source).toMatchObject({ nodeGroups, description: 'Why', ownId: '7', name: 'A' });
  });
});
