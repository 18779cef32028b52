import { broken, type Case, changed } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'unknown-workflow-setting';
const of = (key: string, value: unknown) => changed(sound, `/settings/${key}`, value);

export const cases: Case[] = [
  broken('a misspelt time zone', of('timeZone', 'Europe/Berlin'), [
    { rule, path: '/settings/timeZone', severity: 'warning', fixed: of('timezone', 'Europe/Berlin') },
  ]),
  broken('a misspelt error workflow', of('errorWorkflows', 'aB3'), [
    { rule, path: '/settings/errorWorkflows', says: '"errorWorkflow"' },
  ]),
  broken(
    'an unknown setting, to be saved',
    of('holographicMode', true),
    [{ rule, path: '/settings/holographicMode', severity: 'error', fixed: sound }],
    { purpose: 'save' },
  ),
];
