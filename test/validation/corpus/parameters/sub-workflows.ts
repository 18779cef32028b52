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
  valid('a published workflow', calling(by('live')), publish),
  valid('an existing workflow, to be run', calling(by('draft')), run),
  valid('itself', calling(by('me')), publish),
  valid('a workflow of which nothing is known', calling(by('open')), publish),
  valid('a workflow from an expression', calling(by('={{ $json.id }}')), publish),
  valid('if the instance is unknown', calling(by('gone')), { purpose: 'publish' }),
  valid('from a disabled node', calling(by('gone'), { disabled: true }), {
    ...publish,
    groups: ['parameters'],
  }),
  valid(
    'a workflow inside the node',
    changed(calling(''), '/nodes/1/parameters', { source: 'parameter', workflowJson: '{}', workflowId: 'gone' }),
    { ...publish, groups: ['structure'], warnings: ['ignored-parameter'] },
  ),
  valid('a tool that calls a published workflow', tool('live'), publish),
  broken(
    'a missing workflow, to be run',
    calling(by('gone')),
    [{ rule: missing, path, severity: 'error', says: '"gone"' }],
    run,
  ),
  broken('a missing workflow, to be saved', calling(by('gone')), [{ rule: missing, path, severity: 'warning' }], {
    world,
    purpose: 'save',
  }),
  broken(
    'a missing workflow, in the first version',
    calling('gone', {}, 1),
    [{ rule: missing, path, severity: 'error' }],
    { ...run, groups: ['parameters'] },
  ),
  broken(
    'a missing one, to be published',
    calling(by('gone')),
    [{ rule: unpublished, path, severity: 'error', says: 'refuses' }],
    publish,
  ),
  broken(
    'a workflow that is not published',
    calling(by('draft')),
    [{ rule: unpublished, path, severity: 'error', says: '"Draft" (draft)' }],
    publish,
  ),
  broken(
    'a workflow that is not published, called by an unconnected node',
    changed(flow([...calling('').nodes, node('End', 'noOp', 1)], ['Clock -> End']), path, by('draft')),
    [{ rule: unpublished, path, severity: 'error' }],
    { ...publish, groups: ['parameters'] },
  ),
  broken('a tool that calls a missing workflow', tool('gone'), [{ rule: missing, path, severity: 'error' }], publish),
  broken(
    'a tool that calls a workflow that is not published',
    tool('draft'),
    [{ rule: unpublished, path, severity: 'error', says: 'every call fails' }],
    publish,
  ),
];
