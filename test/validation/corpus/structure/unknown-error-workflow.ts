import type { World } from '../../../../src/validation/subject/subject.ts';
import { broken, type Case, changed, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'unknown-error-workflow';
const path = '/settings/errorWorkflow';
const handled = (errorWorkflow: unknown) => changed(sound, '/settings', { errorWorkflow });
const workflows = new Map([
  ['live', { name: 'Live', isPublished: true }],
  ['draft', { name: 'Draft', isPublished: false }],
]);
const world: World = { self: 'me', workflow: (id) => workflows.get(id) ?? 'missing' };

export const cases: Case[] = [
  valid('a published error workflow', handled('live'), { world }),
  valid('itself', handled('me'), { world }),
  valid('none', handled('DEFAULT'), { world }),
  valid('if the instance is unknown', handled('gone')),
  broken('a missing workflow', handled('gone'), [{ rule, path, severity: 'warning', says: '"gone"' }], { world }),
  broken('a missing one, to be published', handled('gone'), [{ rule, path, severity: 'warning' }], {
    world,
    purpose: 'publish',
  }),
  broken('a workflow that is not published', handled('draft'), [{ rule, path, severity: 'warning', says: '"Draft"' }], {
    world,
  }),
];
