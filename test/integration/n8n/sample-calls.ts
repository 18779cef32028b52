import type { N8nClient } from '../../../src/n8n/client/client.ts';

const all = <T>(items: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(items);

const node = { id: 'n', name: 'A', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [0, 0] as [number, number] };
const body = {
  name: 'w',
  nodes: [{ ...node, parameters: {} }],
  connections: {},
  settings: { executionOrder: 'v1' },
  description: 'd',
  pinData: {},
  nodeGroups: [],
};

const filter = { type: 'and' as const, filters: [{ columnName: 'a', condition: 'eq', value: 'x' }] };

/** A call of each method of the client, with every argument it takes. */
export const sampleCalls: Readonly<Record<string, (client: N8nClient) => Promise<unknown>>> = {
  'workflows.page': ({ workflows }) =>
    workflows.page({ active: true, name: 'x', tags: ['a', 'b'], projectId: 'p', limit: 10, cursor: 'c' }),
  'workflows.all': ({ workflows }) => all(workflows.all({ projectId: 'p' })),
  'workflows.get': ({ workflows }) => workflows.get('w'),
  'workflows.create': ({ workflows }) => workflows.create(body),
  'workflows.update': ({ workflows }) => workflows.update('w', { ...body, parentFolderId: 'f' }, false),
  'workflows.publish': ({ workflows }) => workflows.publish('w', undefined, 'v'),
  'workflows.unpublish': ({ workflows }) => workflows.unpublish('w'),
  'workflows.archive': ({ workflows }) => workflows.archive('w'),
  'workflows.unarchive': ({ workflows }) => workflows.unarchive('w'),
  'workflows.delete': ({ workflows }) => workflows.delete('w'),
  'workflows.setTags': ({ workflows }) => workflows.setTags('w', ['t']),
  'workflows.transfer': ({ workflows }) => workflows.transfer('w', 'p'),
  'workflows.history': ({ workflows }) => workflows.history('w', { limit: 5, cursor: 'c' }),
  'workflows.version': ({ workflows }) => workflows.version('w', 'v'),
  'executions.page': ({ executions }) =>
    executions.page({
      status: 'error',
      workflowId: 'w',
      projectId: 'p',
      startedAfter: '2026-01-01T00:00:00.000Z',
      startedBefore: '2026-02-01T00:00:00.000Z',
      limit: 10,
      cursor: 'c',
      includeData: true,
    }),
  'executions.all': ({ executions }) => all(executions.all({ status: 'running' })),
  'executions.get': ({ executions }) => executions.get('1', 'whole'),
  'executions.retry': ({ executions }) => executions.retry('1', true, 1000),
  'executions.stop': ({ executions }) => executions.stop('1'),
  'executions.delete': ({ executions }) => executions.delete('1'),
  'credentials.page': ({ credentials }) => credentials.page({ limit: 10, cursor: 'c' }),
  'credentials.all': ({ credentials }) => all(credentials.all()),
  'credentials.get': ({ credentials }) => credentials.get('c'),
  'credentials.create': ({ credentials }) =>
    credentials.create({ name: 'c', type: 'httpHeaderAuth', data: { name: 'x' }, id: 'abc', projectId: 'p' }),
  'credentials.update': ({ credentials }) =>
    credentials.update('c', { name: 'c', type: 't', data: { name: 'x' }, isPartialData: true }),
  'credentials.delete': ({ credentials }) => credentials.delete('c'),
  'credentials.transfer': ({ credentials }) => credentials.transfer('c', 'p'),
  'credentials.test': ({ credentials }) => credentials.test('c'),
  'credentials.schema': ({ credentials }) => credentials.schema('httpHeaderAuth'),
  'tags.all': ({ tags }) => all(tags.all()),
  'tags.create': ({ tags }) => tags.create('t'),
  'tags.rename': ({ tags }) => tags.rename('t', 'u'),
  'tags.delete': ({ tags }) => tags.delete('t'),
  'dataTables.all': ({ dataTables }) => all(dataTables.all()),
  'dataTables.rows': ({ dataTables }) => all(dataTables.rows('d')),
  'dataTables.page': ({ dataTables }) =>
    dataTables.page('d', { filter, search: 'x', sortBy: 'a:asc', limit: 10, cursor: 'c' }),
  'dataTables.get': ({ dataTables }) => dataTables.get('d'),
  'dataTables.create': ({ dataTables }) =>
    dataTables.create({ name: 'd', columns: [{ name: 'a', type: 'string' }], projectId: 'p' }),
  'dataTables.rename': ({ dataTables }) => dataTables.rename('d', 'e'),
  'dataTables.delete': ({ dataTables }) => dataTables.delete('d'),
  'dataTables.addColumn': ({ dataTables }) => dataTables.addColumn('d', { name: 'b', type: 'date' }),
  'dataTables.renameColumn': ({ dataTables }) => dataTables.renameColumn('d', 'c', 'b'),
  'dataTables.deleteColumn': ({ dataTables }) => dataTables.deleteColumn('d', 'c'),
  'dataTables.insert': ({ dataTables }) => dataTables.insert('d', [{ a: 'x' }]),
  'dataTables.update': ({ dataTables }) => dataTables.update('d', filter, { a: 'y' }),
  'dataTables.updated': ({ dataTables }) => dataTables.updated('d', filter, { a: 'y' }),
  'dataTables.upsert': ({ dataTables }) => dataTables.upsert('d', filter, { a: 'y' }),
  'dataTables.deleteRows': ({ dataTables }) => dataTables.deleteRows('d', filter),
  'packages.import': ({ packages }) => packages.import(Buffer.from('x')),
  'projects.all': ({ projects }) => all(projects.all()),
  'projects.create': ({ projects }) => projects.create('p'),
  'projects.rename': ({ projects }) => projects.rename('p', 'q'),
  'projects.delete': ({ projects }) => projects.delete('p'),
  'projects.members': ({ projects }) => all(projects.members('p')),
  'projects.addMembers': ({ projects }) => projects.addMembers('p', [{ userId: 'u', role: 'project:editor' }]),
  'projects.removeMember': ({ projects }) => projects.removeMember('p', 'u'),
  'folders.all': ({ folders }) => all(folders.all('p')),
  'folders.counts': ({ folders }) => folders.counts('p', 'f'),
  'folders.create': ({ folders }) => folders.create('p', { name: 'f', parentFolderId: 'g' }),
  'folders.update': ({ folders }) => folders.update('p', 'f', { name: 'g', parentFolderId: '0' }),
  'folders.delete': ({ folders }) => folders.delete('p', 'f', 'g'),
  'variables.all': ({ variables }) => all(variables.all()),
  'variables.create': ({ variables }) => variables.create({ key: 'K', value: 'v', projectId: 'p' }),
  'variables.update': ({ variables }) => variables.update('1', { key: 'K', value: 'v', projectId: 'p' }),
  'variables.delete': ({ variables }) => variables.delete('1'),
  'users.all': ({ users }) => all(users.all()),
  'users.invite': ({ users }) => users.invite([{ email: 'ada@example.com', role: 'global:member' }]),
  'users.setRole': ({ users }) => users.setRole('u', 'global:member'),
  'users.delete': ({ users }) => users.delete('u'),
  'users.roles': ({ users }) => users.roles(),
  'sourceControl.changes': ({ sourceControl }) => sourceControl.changes('push'),
  'sourceControl.pull': ({ sourceControl }) => sourceControl.pull({ force: true, autoPublish: 'published' }),
  'sourceControl.push': ({ sourceControl }) =>
    sourceControl.push({ commitMessage: 'm', fileNames: [{ id: 'w', type: 'workflow' }], force: false }),
  'reports.audit': ({ reports }) => reports.audit({ categories: ['nodes'], daysAbandonedWorkflow: 30 }),
  'reports.insights': ({ reports }) =>
    reports.insights({ startDate: '2026-01-01T00:00:00.000Z', endDate: '2026-01-02T00:00:00.000Z', projectId: 'p' }),
  'communityPackages.all': ({ communityPackages }) => communityPackages.all(),
  'communityPackages.install': ({ communityPackages }) =>
    communityPackages.install('n8n-nodes-x', { version: '1.0.0', verify: true }),
  'communityPackages.update': ({ communityPackages }) =>
    communityPackages.update('n8n-nodes-x', { version: '1.0.1', verify: false }),
  'communityPackages.uninstall': ({ communityPackages }) => communityPackages.uninstall('n8n-nodes-x'),
};
