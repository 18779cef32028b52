import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { writeGenerated } from './write.ts';

const body = { name: '[sluice] W', nodes: [], connections: {}, settings: {} };

/** A fake n8n that records the requests. */
function setUp() {
  const asked: string[] = [];
  const told = (word: string) => async (id: unknown) => {
    asked.push(`${word} ${typeof id === 'string' ? id : (id as { projectId?: string }).projectId}`);
    return { id: 'new', workflow: { id } };
  };
  const workflows = {
    create: told('create in'),
    update: told('update'),
    delete: told('delete'),
    publish: told('publish'),
    setTags: told('tag'),
  };
  const client = {
    workflows,
    turns: { take: async () => ({ id: 't' }) },
  } as unknown as N8nClient;
  return { asked, client };
}

const existing = (projectId: string) => ({
  workflow: {
    ...body,
    id: 'old',
    active: true,
    isArchived: false,
    shared: [{ role: 'workflow:owner', projectId }],
  } as unknown as Workflow,
  mark: { owner: 'o', kind: 'endpoint', hash: 'h' },
});

test('updates a generated workflow in place', async () => {
  const { asked, client } = setUp();
  await writeGenerated(client, body, { project: 'p1', existing: existing('p1') }, new AbortController().signal);
  expect(asked).toEqual(['update old']);
});

test('creates the workflow again in the new project if its source has moved', async () => {
  const { asked, client } = setUp();
  await writeGenerated(client, body, { project: 'p2', existing: existing('p1') }, new AbortController().signal);
  expect(asked).toEqual(['delete old', 'create in p2', 'tag new', 'publish new']);
});

test.each(['not_found', 'conflict'] as const)(
  'tags again if the tag was %s because of another Sluice',
  async (code) => {
    const { asked, client } = setUp();
    let first = true;
    const setTags = client.workflows.setTags;
    client.workflows.setTags = async (...args) => {
      if (!first) return await setTags(...args);
      first = false;
      throw new AppError(code, 'Some tags not found');
    };
    await writeGenerated(client, body, { project: undefined, existing: undefined }, new AbortController().signal);
    expect(asked).toEqual(['create in undefined', 'tag new', 'publish new']);
  },
);
