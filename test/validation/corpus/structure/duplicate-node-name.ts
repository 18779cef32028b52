import { broken, type Case, changed, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'duplicate-node-name';
const twin = (name: string) => changed(sound, '/nodes/-', { ...sound.nodes[3], id: 'twin', name, disabled: true });
const structure = { groups: ['structure'] } as const;

export const cases: Case[] = [
  valid('names that differ in case', twin('keep'), structure),
  broken(
    'two nodes with the same name',
    twin('Keep'),
    [{ rule, path: '/nodes/4/name', severity: 'error', says: '/nodes/3', fixed: twin('Keep1') }],
    structure,
  ),
  broken('to be saved', twin('Keep'), [{ rule, path: '/nodes/4/name', severity: 'error' }], {
    ...structure,
    purpose: 'save',
  }),
  broken(
    'three nodes with the same name',
    changed(twin('Keep'), '/nodes/-', { ...sound.nodes[3], id: 'third' }),
    [
      { rule, path: '/nodes/4/name' },
      { rule, path: '/nodes/5/name' },
    ],
    structure,
  ),
  broken(
    'two notes with the same name',
    {
      ...sound,
      nodes: [
        ...sound.nodes,
        { id: 'n1', name: 'Note', type: 'n8n-nodes-base.stickyNote', typeVersion: 1, position: [0, 0], parameters: {} },
        { id: 'n2', name: 'Note', type: 'n8n-nodes-base.stickyNote', typeVersion: 1, position: [0, 0], parameters: {} },
      ],
    },
    [{ rule, path: '/nodes/5/name' }],
  ),
];
