import { broken, type Case, flow, node, valid } from '../../case.ts';

const only = { groups: ['lint' as const] };
const row = (count: number) => {
  const nodes = [
    node('Start', 'manualTrigger', 1),
    ...Array.from({ length: count - 1 }, (_, index) => node(`Step ${letters(index)}`, 'noOp', 1)),
  ];
  return flow(
    nodes,
    nodes.slice(1).map(({ name }, index) => `${nodes[index]?.name} -> ${name}`),
  );
};
const letters = (index: number): string => String.fromCharCode(65 + (index % 26)).repeat(1 + Math.floor(index / 26));
const decisions = (count: number) => {
  const nodes = [
    node('Start', 'manualTrigger', 1),
    ...Array.from({ length: count }, (_, index) =>
      node(`Decide ${letters(index)}`, 'if', 2.2, {
        conditions: {
          options: { version: 2, caseSensitive: true, leftValue: '', typeValidation: 'strict' },
          combinator: 'and',
          conditions: [
            {
              id: '1',
              leftValue: '={{ $json.a }}',
              rightValue: 'x',
              operator: { type: 'string', operation: 'equals' },
            },
          ],
        },
        options: {},
      }),
    ),
  ];
  return flow(
    nodes,
    nodes.slice(1).map(({ name }, index) => `${nodes[index]?.name} -> ${name}`),
  );
};

export const cases: Case[] = [
  valid('thirty nodes', row(30), only),
  broken('forty nodes', row(40), [{ rule: 'large-workflow', path: '/nodes', severity: 'info' }], only),
  broken('sixty nodes', row(60), [{ rule: 'large-workflow', path: '/nodes', severity: 'info' }], only),
  valid('five decisions in a row', decisions(5), only),
  broken(
    'seven decisions in a row',
    decisions(7),
    [{ rule: 'deep-branching', path: '/nodes/6', severity: 'info' }],
    only,
  ),
  broken(
    'a disabled node',
    flow([node('Start', 'manualTrigger', 1), node('Later', 'noOp', 1, {}, { disabled: true })], ['Start -> Later']),
    [{ rule: 'disabled-node', path: '/nodes/1/disabled', severity: 'info' }],
    only,
  ),
  broken(
    'two disabled nodes: one finding',
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Later', 'noOp', 1, {}, { disabled: true }),
        node('Much later', 'noOp', 1, {}, { disabled: true }),
      ],
      ['Start -> Later', 'Later -> Much later'],
    ),
    [{ rule: 'disabled-node', path: '/nodes/1/disabled', severity: 'info', says: '"Much later"' }],
    only,
  ),
];
