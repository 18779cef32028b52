import type { World } from '../../../../src/validation/subject/subject.ts';
import { broken, type Case, changed, flow, node, valid } from '../../case.ts';

const [missing, unpublished] = ['unknown-sub-workflow', 'unpublished-sub-workflow'];
const path = '/nodes/1/parameters/workflowId';
const calling = (workflowId: unknown, more: Record<string, unknown> = {}, version = 1.2) =>
  flow(
    [
      node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } }),
      node('Call', 'executeWorkflow', version, { workflowId, options: {} }, more),
    ],
    ['Clock -> Call'],
  );
const by = (value: string) => ({ __rl: true, mode: 'id', value });
const tool = (id: string) =>
  flow(
    [
      node('Mcp', 'ai:mcpTrigger', 2, { path: 'corpus-tools' }),
      node('Orders', 'ai:toolWorkflow', 2.2, { description: 'Finds orders', workflowId: by(id) }),
    ],
    ['Orders -ai_tool-> Mcp'],
  );
const workflows = new Map([
  ['live', { name: 'Live', isPublished: true }],
  ['draft', { name: 'Draft', isPublished: false }],
]);
const world: World = { self: 'me', workflow: (id) => (id === 'open' ? undefined : (workflows.get(id) ?? 'missing')) };
const [run, publish] = [{ world }, { world, purpose: 'publish' as const }];

export const cases: Case[] = [
  valid('one that is there and published', calling(by('live')), publish),
  valid('one that is there, to be run', calling(by('draft')), run),
  valid('itself', calling(by('me')), publish),
  valid('one of which nothing is known', calling(by('open')), publish),
  valid('one that an expression names', calling(by('={{ $json.id }}')), publish),
  valid('where nothing is known', calling(by('gone')), { purpose: 'publish' }),
  valid('from a node that is switched off', calling(by('gone'), { disabled: true }), {
    ...publish,
    groups: ['parameters'],
  }),
  valid(
    'a workflow that stands in the node',
    changed(calling(''), '/nodes/1/parameters', { source: 'parameter', workflowJson: '{}', workflowId: 'gone' }),
    { ...publish, groups: ['structure'], warnings: ['ignored-parameter'] },
  ),
  valid('a tool that calls what is published', tool('live'), publish),
  broken(
    'one that is gone, to be run',
    calling(by('gone')),
    [{ rule: missing, path, severity: 'error', says: '"gone"' }],
    run,
  ),
  broken('one that is gone, as a draft', calling(by('gone')), [{ rule: missing, path, severity: 'warning' }], {
    world,
    purpose: 'save',
  }),
  broken(
    'one that is gone, in the first version',
    calling('gone', {}, 1),
    [{ rule: missing, path, severity: 'error' }],
    { ...run, groups: ['parameters'] },
  ),
  broken(
    'one that is gone, to be published',
    calling(by('gone')),
    [{ rule: unpublished, path, severity: 'error', says: 'refuses' }],
    publish,
  ),
  broken(
    'one that is not published',
    calling(by('draft')),
    [{ rule: unpublished, path, severity: 'error', says: '"Draft" (draft)' }],
    publish,
  ),
  broken(
    'one that is not published, called by a node that is connected to nothing',
    changed(flow([...calling('').nodes, node('End', 'noOp', 1)], ['Clock -> End']), path, by('draft')),
    [{ rule: unpublished, path, severity: 'error' }],
    { ...publish, groups: ['parameters'] },
  ),
  broken('a tool that calls what is gone', tool('gone'), [{ rule: missing, path, severity: 'error' }], publish),
  broken(
    'a tool that calls what is not published',
    tool('draft'),
    [{ rule: unpublished, path, severity: 'error', says: 'every call fails' }],
    publish,
  ),
];
