import { broken, type Case, changed, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'unknown-workflow-key';
const save = { purpose: 'save' } as const;

export const cases: Case[] = [
  valid(
    'pinned data and static data',
    { ...sound, pinData: { Fetch: [{ json: { total: 1 } }] }, staticData: null },
    save,
  ),
  broken('an id', changed(sound, '/id', 'aB3'), [{ rule, path: '/id', severity: 'error', fixed: sound }], save),
  broken('whether it is active', changed(sound, '/active', true), [{ rule, path: '/active', fixed: sound }], save),
  broken('an unknown key', changed(sound, '/owner', 'me'), [{ rule, path: '/owner', fixed: sound }], save),
  broken(
    'misspelt static data',
    changed(sound, '/staticdata', {}),
    [{ rule, path: '/staticdata', says: 'Did you mean "staticData"?' }],
    save,
  ),
];
