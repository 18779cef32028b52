import { broken, type Case, changed, flow, node, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'misplaced-node-setting';
const inside = (key: string, value: unknown) => changed(sound, `/nodes/2/parameters/${key}`, value);
const beside = (key: string, value: unknown) => changed(sound, `/nodes/2/${key}`, value);
const path = (key: string) => `/nodes/2/parameters/${key}`;
const structure = { groups: ['structure', 'parameters'] } as const;

export const cases: Case[] = [
  valid('next to the parameters', beside('retryOnFail', true)),
  ...(
    [
      ['onError', 'continueRegularOutput'],
      ['retryOnFail', true],
      ['continueOnFail', true],
      ['executeOnce', true],
      ['alwaysOutputData', true],
      ['maxTries', 3],
      ['notes', 'Mind the gap'],
      ['disabled', true],
      ['credentials', { httpBasicAuth: { id: '1', name: 'A' } }],
    ] as const
  ).map(([key, value]) =>
    broken(
      `${key} among the parameters`,
      inside(key, value),
      [{ rule, path: path(key), severity: 'error', fixed: beside(key, value) }],
      structure,
    ),
  ),
  broken('in both places', changed(beside('retryOnFail', true), path('retryOnFail'), true), [
    { rule, path: path('retryOnFail'), fixed: beside('retryOnFail', true) },
  ]),
  valid(
    'a parameter with the name of a setting',
    flow(
      [node('Start', 'manualTrigger', 1), node('Note', 'stickyNote', 1, { content: 'disabled, notes, credentials' })],
      [],
    ),
  ),
];
