import { broken, type Case, changed, gone, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'workflow-incomplete';
const save = { purpose: 'save' } as const;

export const cases: Case[] = [
  valid('with a name and settings, to be saved', sound, save),
  valid('with a name of 128 characters', changed(sound, '/name', 'n'.repeat(128)), save),
  broken('no name', changed(sound, '/name', gone), [{ rule, path: '', severity: 'error' }], save),
  broken('an empty name', changed(sound, '/name', ''), [{ rule, path: '/name' }], save),
  broken('a name of 129 characters', changed(sound, '/name', 'n'.repeat(129)), [{ rule, path: '/name' }], save),
  broken('no settings', changed(sound, '/settings', gone), [{ rule, path: '', fixed: sound }], save),
  broken('null for settings', changed(sound, '/settings', null), [{ rule, path: '/settings', fixed: sound }], save),
  broken('settings in a list', changed(sound, '/settings', ['v1']), [{ rule, path: '/settings' }], save),
];
