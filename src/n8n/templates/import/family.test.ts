import { describe, expect, it } from 'vitest';
import { AppError } from '../../../kernel/errors.ts';
import type { Pointing } from '../../mapping/places.ts';
import type { Template } from '../template.ts';
import { gathered } from './family.ts';
import { sourceOf, templateSource } from './source.ts';

const call = (name: string, value: string, cachedResultName: string) => ({
  name,
  type: 'n8n-nodes-base.executeWorkflow',
  typeVersion: 1.2,
  position: [0, 0] as [number, number],
  parameters: { workflowId: { __rl: true, mode: 'list', value, cachedResultName } },
});

const placeOf = (node: string, id: string, name: string): Pointing => ({
  kind: 'sub-workflow',
  node,
  id,
  name,
  where: 'parameters.workflowId',
});

const library = (...names: string[]) => ({
  async get(id: string): Promise<Template> {
    if (!names.includes(id)) throw new AppError('not_found', `No template ${id}.`);
    return { id, name: 'Inner', library: 'ours', nodes: [], workflow: { nodes: [], connections: {} } };
  },
});

const signal = new AbortController().signal;

describe('the workflows that a template calls', () => {
  it('include itself, if an export has its name in the place of its id', async () => {
    const source = sourceOf({ name: 'Loop', nodes: [call('Again', 'Loop', 'Loop')], connections: {} });
    const family = await gathered(source, library(), () => false, signal);
    expect(family.members).toHaveLength(1);
    expect(family.memberAt(0, placeOf('Again', 'Loop', 'Loop'))).toBe(0);
  });

  it('are told apart by their files if they have the same name', async () => {
    const nodes = [call('One', 'Inner', 'Inner'), call('Other', 'inner-2', 'Inner')];
    const workflow = { nodes, connections: {} };
    const source = templateSource({ id: 'ours/main', name: 'Main', library: 'ours', nodes: [], workflow });
    const family = await gathered(source, library('ours/inner', 'ours/inner-2'), () => false, signal);
    expect(family.members.map(({ template }) => template?.id)).toEqual(['ours/main', 'ours/inner', 'ours/inner-2']);
    expect(family.memberAt(0, placeOf('Other', 'inner-2', 'Inner'))).toBe(2);
  });
});
