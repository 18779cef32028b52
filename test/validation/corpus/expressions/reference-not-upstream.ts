import { broken, type Case, flow, node, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'reference-not-upstream';
const set = (name: string, text: string) =>
  node(name, 'set', 3.4, {
    assignments: { assignments: [{ id: 'a', name: 'f', value: text, type: 'string' }] },
    options: {},
  });

const loop = (text: string) =>
  flow(
    [
      node('Start', 'manualTrigger', 1),
      node('Loop', 'splitInBatches', 3, { options: {} }),
      set('First', text),
      node('Second', 'noOp', 1),
    ],
    ['Start -> Loop', 'Loop:1 -> First', 'First -> Second', 'Second -> Loop'],
  );

export const cases: Case[] = [
  valid('two nodes back', withValue("={{ $('Start').item.json.a }}")),
  valid('whether it has run, and its settings', withValue("={{ $('After').isExecuted }} {{ $('Aside').params.a }}")),
  valid('a later node in a loop', loop("={{ $('Second').first().json.a }}")),
  valid(
    'a tool that reads a node before its agent',
    flow(
      [
        node('Chat', 'ai:chatTrigger', 1.1, { options: {} }),
        node('Agent', 'ai:agent', 2, { options: {} }),
        node('Fetch', 'httpRequestTool', 4.2, { url: "={{ $('Chat').item.json.url }}", options: {} }),
      ],
      ['Chat -> Agent', 'Fetch -ai_tool-> Agent'],
    ),
    { groups: ['expressions'], warnings: ['missing-sub-node'] },
  ),
  broken('a node that comes later', withValue("={{ $('After').item.json.a }}"), [
    { rule, path: value, severity: 'error', says: 'comes after' },
  ]),
  broken('a node on another branch', withValue("={{ $('Aside').item.json.a }}"), [
    { rule, path: value, severity: 'error', says: 'does not lead' },
  ]),
  broken('a node on another branch, with $node', withValue('={{ $node["Aside"].json.a }}'), [
    { rule, path: value, severity: 'error' },
  ]),
  broken('the node itself', withValue("={{ $('It').item.json.a }}"), [{ rule, path: value, says: '$json' }]),
  broken('a node on another branch that may have run', withValue("={{ $('Aside').first().json.a }}"), [
    { rule, path: value, severity: 'warning' },
  ]),
  broken(
    'a node on another branch, after isExecuted',
    withValue("={{ $('Aside').isExecuted ? $('Aside').item.json.a : '' }}"),
    [{ rule, path: value, severity: 'warning' }],
  ),
  broken(
    'from a node that nothing leads to',
    flow(
      [node('Start', 'manualTrigger', 1), set('It', "={{ $('Start').item.json.a }}"), node('Before', 'noOp', 1)],
      ['Before -> It'],
    ),
    [{ rule, path: value.replace('/nodes/2/', '/nodes/1/'), severity: 'warning' }],
    { groups: ['expressions'] },
  ),
];
