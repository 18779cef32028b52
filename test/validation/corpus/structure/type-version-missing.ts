import { broken, type Case, changed, flow, gone, node } from '../../case.ts';
import { withCode } from '../../expression-flow.ts';
import { sound } from '../../sound.ts';

const rule = 'type-version-missing';
const lone = flow([node('Start', 'manualTrigger', 1)]);

export const cases: Case[] = [
  broken('no typeVersion', changed(lone, '/nodes/0/typeVersion', gone), [
    { rule, path: '/nodes/0', severity: 'warning', fixed: lone },
  ]),
  broken('null for typeVersion', changed(lone, '/nodes/0/typeVersion', null), [
    { rule, path: '/nodes/0/typeVersion', fixed: lone },
  ]),
  broken('on a node whose parameters n8n then drops', changed(withCode('return [];'), '/nodes/1/typeVersion', gone), [
    { rule, path: '/nodes/1', severity: 'error', says: 'jsCode', fixed: withCode('return [];') },
  ]),
  broken('on a node with several versions', changed(sound, '/nodes/3/typeVersion', gone), [
    { rule, path: '/nodes/3', severity: 'error', says: 'Set it to 3.' },
  ]),
];
