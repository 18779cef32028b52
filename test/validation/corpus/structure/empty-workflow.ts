import { broken, type Case, changed, flow, node, valid } from '../../case.ts';

const rule = 'empty-workflow';
const note = node('Note', 'stickyNote', 1, { content: 'To do' });
const lone = flow([node('Start', 'manualTrigger', 1)]);

export const cases: Case[] = [
  valid('a lone trigger', lone),
  broken('no nodes', flow([]), [{ rule, path: '/nodes', severity: 'error', says: 'trigger' }]),
  broken('to be published', flow([]), [{ rule, path: '/nodes', severity: 'error' }], { purpose: 'publish' }),
  broken('to be saved', flow([]), [{ rule, path: '/nodes', severity: 'info' }], { purpose: 'save' }),
  broken('nothing but a note', flow([note]), [{ rule, path: '/nodes', says: 'notes' }]),
  broken('only disabled nodes', changed(lone, '/nodes/0/disabled', true), [{ rule, path: '/nodes', says: 'disabled' }]),
];
