import { broken, type Case, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'bad-node-group';
const id = (index: number) => (sound.nodes[index] as { id: string }).id;
const grouped = (...nodeIds: string[]) => ({ ...sound, nodeGroups: [{ id: 'g', name: 'Orders', nodeIds }] });

export const cases: Case[] = [
  valid('around two nodes', grouped(id(2), id(3))),
  broken('around a missing node', grouped(id(2), id(3), 'gone'), [
    { rule, path: '/nodeGroups/0/nodeIds/2', severity: 'error', fixed: grouped(id(2), id(3)) },
  ]),
];
