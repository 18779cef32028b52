import { broken, type Case, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'not-a-workflow';
const circular: Record<string, unknown> = structuredClone(sound);
circular['settings'] = { circle: circular };
const whole = { rule, path: '' };

export const cases: Case[] = [
  valid('JSON text', JSON.stringify(sound)),
  valid('JSON text behind a byte order mark', `\uFEFF${JSON.stringify(sound, null, 2)}`),
  valid('a template', { id: 7, name: 'Of a library', workflow: sound }),
  valid('a reply of a template library', { workflow: { id: 7, name: 'Of a library', workflow: sound } }),
  valid("a list of one, as n8n's command line exports it", [sound]),
  broken('text that is not JSON', '{ "nodes": [', [{ ...whole, says: 'not JSON' }]),
  broken('an empty string', '', [{ ...whole, says: 'not JSON' }]),
  broken('null', null, [{ ...whole, says: 'nothing' }]),
  broken('undefined', undefined, [{ ...whole, says: 'nothing' }]),
  broken('a number', 42, [{ ...whole, says: 'a number' }]),
  broken('JSON text of a string', '"workflow"', [{ ...whole, says: 'a string' }]),
  broken('an empty list', [], [{ ...whole, says: 'a list' }]),
  broken('a list of nodes', sound.nodes, [{ ...whole, says: 'a list' }]),
  broken('several workflows', [sound, sound], [{ ...whole, says: 'one at a time' }]),
  broken('a cycle', circular, [{ rule, path: '/settings/circle', says: 'cycle' }]),
];
