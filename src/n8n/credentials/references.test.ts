import { describe, expect, it } from 'vitest';
import type { Workflow } from '../client/shapes.ts';
import { referencesIn, useOf } from './references.ts';

const node = (name: string, id: string) => ({
  name,
  type: 't',
  parameters: {},
  credentials: { slackApi: { id, name: `cred ${id}` } },
});

const workflow: Workflow = {
  id: 'w',
  name: 'W',
  active: true,
  isArchived: false,
  connections: {},
  nodes: [node('A', 'c1'), node('B', 'c1'), { name: 'C', type: 't', parameters: {} }],
  activeVersion: { nodes: [node('A', 'c1'), node('Old', 'c2')] },
};

describe('the credentials of a workflow', () => {
  it('are those of its nodes, in the draft and in the published version', () => {
    expect(
      referencesIn(workflow).map(({ id, node: name, publishedOnly = false }) => [id, name, publishedOnly]),
    ).toEqual([
      ['c1', 'A', false],
      ['c1', 'B', false],
      ['c2', 'Old', true],
    ]);
  });

  it('count as used even if only the published version needs them', () => {
    expect(useOf(workflow, 'c1')).toEqual({ id: 'w', name: 'W', active: true, nodes: ['A', 'B'] });
    expect(useOf(workflow, 'c2')).toMatchObject({ nodes: ['Old'], publishedOnly: true });
    expect(useOf(workflow, 'c3')).toBeUndefined();
  });
});
