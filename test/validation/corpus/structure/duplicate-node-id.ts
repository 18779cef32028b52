import { broken, type Case, changed, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'duplicate-node-id';
const first = (sound.nodes[0] as { id: string }).id;

export const cases: Case[] = [
  valid('two nodes without an id', changed(changed(sound, '/nodes/0/id', ''), '/nodes/1/id', '')),
  broken('one id twice', changed(sound, '/nodes/2/id', first), [
    { rule, path: '/nodes/2/id', severity: 'error', says: '/nodes/0' },
  ]),
  broken('one id three times', changed(changed(sound, '/nodes/2/id', first), '/nodes/3/id', first), [
    { rule, path: '/nodes/2/id' },
    { rule, path: '/nodes/3/id' },
  ]),
  broken('to be saved', changed(sound, '/nodes/1/id', first), [{ rule, path: '/nodes/1/id', severity: 'error' }], {
    purpose: 'save',
  }),
];
