import { broken, type Case, changed, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'node-setting-kind';
const with2 = (key: string, value: unknown) => changed(sound, `/nodes/2/${key}`, value);
const path = (key: string) => `/nodes/2/${key}`;
const save = { purpose: 'save' } as const;

export const cases: Case[] = [
  valid('every setting', {
    ...sound,
    nodes: sound.nodes.map((one) => ({
      ...one,
      notes: 'A note',
      notesInFlow: true,
      executeOnce: false,
      alwaysOutputData: true,
      retryOnFail: true,
      maxTries: 3,
      waitBetweenTries: 1000,
      onError: 'continueRegularOutput',
    })),
  }),
  broken('retryOnFail as a string', with2('retryOnFail', 'true'), [
    { rule, path: path('retryOnFail'), severity: 'warning', fixed: with2('retryOnFail', true) },
  ]),
  broken(
    'retryOnFail as a string, to be saved',
    with2('retryOnFail', 'true'),
    [{ rule, path: path('retryOnFail'), severity: 'error' }],
    save,
  ),
  broken('disabled as a string', with2('disabled', 'false'), [
    { rule, path: path('disabled'), fixed: with2('disabled', false) },
  ]),
  broken('maxTries as a string', with2('maxTries', '3'), [
    { rule, path: path('maxTries'), fixed: with2('maxTries', 3) },
  ]),
  broken('typeVersion as a string', with2('typeVersion', '4.2'), [{ rule, path: path('typeVersion'), fixed: sound }]),
  broken('notes in a list', with2('notes', ['one']), [{ rule, path: path('notes') }]),
  broken('a number for an id', with2('id', 3), [{ rule, path: path('id'), fixed: with2('id', '3') }]),
  broken('executeOnce as a number', with2('executeOnce', 1), [{ rule, path: path('executeOnce') }]),
  broken('onError as an object', with2('onError', {}), [{ rule, path: path('onError') }]),
  broken('null for notes, to be saved', with2('notes', null), [{ rule, path: path('notes'), fixed: sound }], save),
  broken('null for typeVersion, to be saved', with2('typeVersion', null), [{ rule, path: path('typeVersion') }], save),
];
