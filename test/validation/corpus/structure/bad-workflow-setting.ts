import { broken, type Case, changed, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'bad-workflow-setting';
const of = (key: string, value: unknown) => changed(sound, `/settings/${key}`, value);
const save = { purpose: 'save' } as const;

export const cases: Case[] = [
  valid('usual settings', {
    ...sound,
    settings: {
      executionOrder: 'v1',
      timezone: 'America/New_York',
      errorWorkflow: 'aB3xY9kLmN0pQrSt',
      saveDataErrorExecution: 'all',
      saveDataSuccessExecution: 'none',
      saveExecutionProgress: true,
      saveManualExecutions: false,
      executionTimeout: 3600,
      callerPolicy: 'workflowsFromSameOwner',
    },
  }),
  valid('the time zone of the instance', of('timezone', 'DEFAULT')),
  broken('an unknown time zone', of('timezone', 'Mars/Olympus'), [
    { rule, path: '/settings/timezone', severity: 'warning', says: 'Europe/Berlin' },
  ]),
  broken('an unknown execution order', of('executionOrder', 'v7'), [
    { rule, path: '/settings/executionOrder', says: 'v0 or v1' },
  ]),
  broken(
    'an unknown time zone, which n8n saves anyway',
    of('timezone', 'Berlin'),
    [{ rule, path: '/settings/timezone', severity: 'warning' }],
    save,
  ),
  broken(
    'an unknown execution order, which n8n saves anyway',
    of('executionOrder', 'V1'),
    [{ rule, path: '/settings/executionOrder', severity: 'warning' }],
    save,
  ),
  broken(
    'a time zone that is not a string',
    of('timezone', 5),
    [{ rule, path: '/settings/timezone', severity: 'error' }],
    save,
  ),
  broken(
    'an error workflow as an object',
    of('errorWorkflow', { id: 'aB3' }),
    [{ rule, path: '/settings/errorWorkflow' }],
    save,
  ),
  broken(
    'an unknown policy',
    of('callerPolicy', 'everybody'),
    [{ rule, path: '/settings/callerPolicy', severity: 'error' }],
    save,
  ),
  broken('a missing list of callers', of('callerPolicy', 'workflowsFromAList'), [
    { rule, path: '/settings/callerPolicy', severity: 'warning', says: 'callerIds' },
  ]),
  broken(
    'a time limit as a string',
    of('executionTimeout', '60'),
    [{ rule, path: '/settings/executionTimeout' }],
    save,
  ),
  broken(
    "the editor's default, to be saved",
    of('saveDataErrorExecution', 'DEFAULT'),
    [{ rule, path: '/settings/saveDataErrorExecution', severity: 'error', fixed: sound }],
    save,
  ),
  broken('a boolean as a string', of('saveExecutionProgress', 'yes'), [
    { rule, path: '/settings/saveExecutionProgress' },
  ]),
];
