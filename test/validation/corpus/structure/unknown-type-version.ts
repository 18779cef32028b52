import { broken, type Case, changed, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'unknown-type-version';
const of = (node: number, version: number) => changed(sound, `/nodes/${node}/typeVersion`, version);
const path = '/nodes/2/typeVersion';

export const cases: Case[] = [
  valid('an old version', of(2, 4.1)),
  broken('a version that is too high', of(2, 99), [{ rule, path, severity: 'error', says: 'goes up to' }]),
  broken('a version between two others', of(3, 3.15), [
    { rule, path: '/nodes/3/typeVersion', says: 'it never existed' },
  ]),
  broken('a version below the first', of(2, 0.5), [{ rule, path }]),
  broken('a negative version', of(2, -1), [{ rule, path }]),
  broken('a version that a trigger never had', of(1, 1.05), [{ rule, path: '/nodes/1/typeVersion' }]),
  broken('of a trigger that is the same in all versions, which n8n runs anyway', of(0, 7), [
    { rule, path: '/nodes/0/typeVersion', severity: 'warning' },
  ]),
  broken('only to be saved', of(2, 99), [{ rule, path, severity: 'warning' }], { purpose: 'save' }),
  broken('to be published', of(2, 99), [{ rule, path, severity: 'error' }], { purpose: 'publish' }),
];
