import { broken, type Case, changed, gone } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'workflow-shape';
const lone = { ...sound, nodes: sound.nodes.slice(0, 1), connections: {} };

export const cases: Case[] = [
  broken('no nodes', changed(lone, '/nodes', gone), [{ rule, path: '', severity: 'error' }]),
  broken('null for nodes', changed(lone, '/nodes', null), [{ rule, path: '/nodes' }]),
  broken('nodes by name', changed(lone, '/nodes', { Start: lone.nodes[0] }), [{ rule, path: '/nodes', says: 'list' }]),
  broken('no connections', changed(lone, '/connections', gone), [{ rule, path: '', fixed: lone }]),
  broken('null for connections', changed(lone, '/connections', null), [{ rule, path: '/connections', fixed: lone }]),
  broken('an empty list of connections', changed(lone, '/connections', []), [
    { rule, path: '/connections', fixed: lone },
  ]),
  broken('a list of connections', changed(lone, '/connections', [{ from: 'Start', to: 'Fetch' }]), [
    { rule, path: '/connections', says: 'source node names as keys' },
  ]),
];
