import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'unused-input';
const start = node('Start', 'manualTrigger', 1);
const steps = ['A', 'B'].map((name) => node(name, 'noOp', 1));
const both = (parameters: Record<string, unknown> = {}) => node('Both', 'merge', 3.2, parameters);
const compare = node('Compare', 'compareDatasets', 2.3, {
  mergeByFields: { values: [{ field1: 'id', field2: 'id' }] },
  options: {},
});

export const cases: Case[] = [
  valid(
    'a connection at each input',
    flow([start, ...steps, both()], ['Start -> A', 'Start -> B', 'A -> Both', 'B -> Both:1']),
  ),
  broken('a merge with one input', flow([start, both()], ['Start -> Both']), [
    { rule, path: '/nodes/1', severity: 'warning', says: 'input 1' },
  ]),
  broken(
    'an unused third input',
    flow([start, ...steps, both({ numberInputs: 3 })], ['Start -> A', 'Start -> B', 'A -> Both', 'B -> Both:2']),
    [{ rule, path: '/nodes/3', severity: 'info', says: 'input 1' }],
  ),
  broken('a comparison with nothing', flow([start, compare], ['Start -> Compare:1']), [
    { rule, path: '/nodes/1', says: 'input 0' },
  ]),
];
