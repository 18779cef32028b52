import { expect, test } from 'vitest';
import type { PlanView } from '../service/plan-view.ts';
import { planLines } from './plan-lines.ts';

const plan = (steps: PlanView['steps'], more: Partial<PlanView> = {}): PlanView => ({
  name: 'p',
  inputs: {},
  steps,
  on_failure: 'undo',
  confirmations: [],
  approvals: [],
  ...more,
});

test('each kind of step says what it does', () => {
  const lines = planLines(
    plan([
      { step: 'a', kind: 'tool', does: { tool: 'put', arguments: { n: 1 } }, undo: {}, confirm: 'deploy' },
      { step: 'b', kind: 'workflow', does: { workflow: 'Provision', input: {} }, when: '${x}' },
      { step: 'c', kind: 'webhook', does: { webhook: 'https://a/b', method: 'POST', headers: { t: '1' }, body: [1] } },
      { step: 'd', kind: 'approval', does: { question: 'Go?' }, confirm: 'person' },
      { step: 'e', kind: 'wait', does: { ms: 5000 } },
      { step: 'f', kind: 'event', does: { event: 'n8n.*', where: '${event}' } },
      { step: 'g', kind: 'blueprint', does: { blueprint: 'other', inputs: { a: 1 } }, for_each: ['x'] },
      { step: 'h', kind: 'tool', does: '{"tool":"put","arguments":{"text":"…' },
    ]),
  );
  expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'step kind needs undo does',
    'a tool confirm yes put {"n":1}',
    'b workflow if ${x}: Provision {}',
    'c webhook POST https://a/b [1]',
    'd approval a person approves Go?',
    'e wait 5 s',
    'f event n8n.* ${event}',
    'g blueprint for each of ["x"]: other {"a":1}',
    'h tool {"tool":"put","arguments":{"text":"…',
    'A failure undoes the steps that are done.',
  ]);
});

test('what has to be confirmed, approved or scheduled is below', () => {
  const lines = planLines(
    plan([], { on_failure: 'keep', schedule: '0 2 * * *', confirmations: ['a', 'b'], approvals: ['c'] }),
  );
  expect(lines.slice(1)).toEqual([
    'A failure leaves what is done.',
    'Its own schedule: 0 2 * * *',
    'Deploying confirms: a, b',
    'A person decides at: c',
  ]);
});
