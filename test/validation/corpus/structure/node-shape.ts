import { broken, type Case, changed, flow, gone, node, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'node-shape';
const lone = { ...sound, nodes: sound.nodes.slice(0, 1), connections: {} };
const called = (name: string) => flow([node('Start', 'manualTrigger', 1), node(name, 'noOp', 1)], [`Start -> ${name}`]);

export const cases: Case[] = [
  valid('without parameters', changed(lone, '/nodes/0/parameters', gone)),
  valid('without an id', changed(sound, '/nodes/0/id', gone)),
  valid('left of and above the origin', changed(sound, '/nodes/0/position', [-200.5, -1])),
  valid('a node whose name is a space', called(' ')),
  broken('null among the nodes', changed(lone, '/nodes/-', null), [{ rule, path: '/nodes/1', says: 'null' }]),
  broken('a name among the nodes', changed(lone, '/nodes/-', 'Fetch'), [{ rule, path: '/nodes/1' }]),
  broken('no name', changed(lone, '/nodes/-', { ...lone.nodes[0], id: 'x', name: undefined }), [
    { rule, path: '/nodes/1', says: '"name"' },
  ]),
  broken(
    'an empty name',
    changed(lone, '/nodes/-', { ...lone.nodes[0], id: 'x', name: '', type: 'n8n-nodes-base.stickyNote' }),
    [{ rule, path: '/nodes/1/name' }],
  ),
  broken('a number for a name', changed(lone, '/nodes/-', { ...lone.nodes[0], id: 'x', name: 7 }), [
    { rule, path: '/nodes/1/name', says: 'a number' },
  ]),
  broken('no type', changed(lone, '/nodes/-', { ...lone.nodes[0], id: 'x', name: 'B', type: undefined }), [
    { rule, path: '/nodes/1', says: '"type"' },
  ]),
  broken('an object for a type', changed(lone, '/nodes/-', { ...lone.nodes[0], id: 'x', name: 'B', type: {} }), [
    { rule, path: '/nodes/1/type' },
  ]),
  broken('no position', changed(sound, '/nodes/2/position', gone), [{ rule, path: '/nodes/2', fixed: sound }]),
  broken('a position by name', changed(sound, '/nodes/2/position', { x: 440, y: 0 }), [
    { rule, path: '/nodes/2/position', fixed: sound },
  ]),
  broken('a position of three numbers', changed(sound, '/nodes/2/position', [440, 0, 7]), [
    { rule, path: '/nodes/2/position', fixed: sound },
  ]),
  broken('a position as strings', changed(sound, '/nodes/2/position', ['440', '0']), [
    { rule, path: '/nodes/2/position', fixed: sound },
  ]),
  broken('an empty list of parameters', changed(sound, '/nodes/0/parameters', []), [
    { rule, path: '/nodes/0/parameters', fixed: sound },
  ]),
  broken('null for parameters', changed(sound, '/nodes/0/parameters', null), [
    { rule, path: '/nodes/0/parameters', fixed: sound },
  ]),
  broken('parameters as a string', changed(lone, '/nodes/0/parameters', '{}'), [{ rule, path: '/nodes/0/parameters' }]),
  broken('credentials in a list', changed(sound, '/nodes/3/credentials', ['slackApi']), [
    { rule, path: '/nodes/3/credentials' },
  ]),
  broken('a name that n8n cannot find', called('constructor'), [{ rule, path: '/nodes/1/name', says: 'Rename it' }]),
];
