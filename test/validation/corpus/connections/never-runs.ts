/** Errors in nodes that no trigger leads to: n8n still runs the rest (test/integration/validation/dormant-agrees.test.ts). */
import { broken, type Case, flow, node } from '../../case.ts';

const start = node('Start', 'manualTrigger', 1);
const clock = node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } });
const off = <T extends object>(one: T): T => ({ ...one, disabled: true });
const steps = (...names: string[]) => names.map((name) => node(name, 'noOp', 1));
const bad = node('Bad', 'httpRequest', 4.2, { options: {} });
const lost = node('Lost', 'set', 3.4, {
  assignments: { assignments: [{ id: 'a', name: 'x', type: 'string', value: "={{ $('Gone').item.json.x }}" }] },
  options: {},
});
const required = (index: number, severity: 'error' | 'warning') => ({
  rule: 'required-parameter',
  path: `/nodes/${index}/parameters/url`,
  severity,
});
const orphan = (index: number) => ({ rule: 'orphan-node', path: `/nodes/${index}`, severity: 'warning' as const });
const island = (index: number) => ({ rule: 'unreachable-node', path: `/nodes/${index}`, severity: 'warning' as const });

export const cases: Case[] = [
  broken('an unconnected request without its URL', flow([start, ...steps('A'), bad], ['Start -> A']), [
    orphan(2),
    required(2, 'warning'),
  ]),
  broken(
    'an unknown reference in a part that no trigger leads to',
    flow([start, lost, ...steps('A', 'B')], ['Start -> A', 'Lost -> B']),
    [
      island(1),
      {
        rule: 'unknown-node-reference',
        path: '/nodes/1/parameters/assignments/assignments/0/value',
        severity: 'warning',
      },
    ],
  ),
  broken(
    'a request without its URL after a trigger that is disabled',
    flow([start, off(clock), bad, ...steps('A')], ['Start -> A', 'Clock -> Bad']),
    [required(2, 'warning')],
  ),
  broken(
    'a request without its URL after another trigger',
    flow([start, clock, bad, ...steps('A')], ['Start -> A', 'Clock -> Bad']),
    [required(2, 'error')],
  ),
  broken(
    'a request without its URL, as a tool of an unreachable agent',
    flow(
      [start, ...steps('A'), { ...bad, type: 'n8n-nodes-base.httpRequestTool' }, node('Agent', 'ai:agent', 2)],
      ['Start -> A', 'Bad -ai_tool-> Agent'],
    ),
    [required(2, 'warning')],
    { groups: ['parameters'] },
  ),
  // The nodes are not connected yet: any of them may be meant to run.
  broken('a request without its URL in a workflow without connections', flow([start, ...steps('A'), bad]), [
    orphan(1),
    orphan(2),
    required(2, 'error'),
  ]),
  broken(
    'the same in a shared workflow, which is finished',
    flow([start, ...steps('A'), bad], [], { meta: { instanceId: 'a1b2c3' } }),
    [orphan(1), orphan(2), required(2, 'warning')],
  ),
  broken(
    'an unconnected form without its title, next to a connected trigger',
    flow([start, ...steps('A'), node('Form', 'formTrigger', 2.2, {})], ['Start -> A']),
    [{ rule: 'required-parameter', path: '/nodes/2/parameters/formTitle', severity: 'warning' }],
    { groups: ['parameters'] },
  ),
  broken('an unknown type, unconnected', flow([start, ...steps('A'), node('Bad', 'nonsense', 1)], ['Start -> A']), [
    orphan(2),
    { rule: 'unknown-node-type', path: '/nodes/2/type', severity: 'error' },
  ]),
  broken(
    'an unknown version, unconnected',
    flow([start, ...steps('A'), node('Bad', 'httpRequest', 99)], ['Start -> A']),
    [orphan(2), { rule: 'unknown-type-version', path: '/nodes/2/typeVersion', severity: 'error' }],
  ),
  broken(
    'an unconnected node with a duplicate name, which n8n does not save',
    flow([start, ...steps('A', 'A')], ['Start -> A']),
    [{ rule: 'duplicate-node-name', path: '/nodes/2/name', severity: 'error' }],
    { groups: ['structure'] },
  ),
  broken(
    'an unconnected request without its URL, to publish it',
    flow([clock, ...steps('A'), bad], ['Clock -> A']),
    [required(2, 'warning')],
    { groups: ['parameters'], purpose: 'publish' },
  ),
  broken(
    'a request without its URL in a part that no trigger leads to, to publish it',
    flow([clock, ...steps('A', 'B'), bad], ['Clock -> A', 'Bad -> B']),
    [required(3, 'error')],
    { groups: ['parameters'], purpose: 'publish' },
  ),
];
