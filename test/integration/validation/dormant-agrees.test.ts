import { beforeAll, describe, expect, it } from 'vitest';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../../support/n8n.ts';
import { flow, node } from '../../validation/case.ts';
import { publications, type Run, runs } from '../../support/n8n-answers.ts';

const start = node('Start', 'manualTrigger', 1);
const clock = node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } });
const steps = (...names: string[]) => names.map((name) => node(name, 'noOp', 1));
const bad = node('Bad', 'httpRequest', 4.2, { options: {} });
const unread = node('Bad', 'set', 3.4, {
  assignments: { assignments: [{ id: 'a', name: 'x', type: 'string', value: '={{ $json.a + }}' }] },
  options: {},
});
const agent = node('Bad', 'ai:agent', 2, { promptType: 'define', text: 'Hello', options: {} });
const beside = (one: ReturnType<typeof node>, ...arrows: string[]) =>
  flow([start, ...steps('A', 'B'), one], ['Start -> A', ...arrows]);

/** src/validation/dormant.ts relies on this. */
describe.skipIf(n8nIsMissing)('a node that no trigger leads to', () => {
  let n8n: TestN8n;
  beforeAll(async () => {
    n8n = await startN8n();
  }, N8N_START_MS);

  const runOf = async (workflow: unknown): Promise<Run | undefined> =>
    (await runs(n8n, [{ workflow, from: 'Start' }]))[0];

  it.each([
    ['lacks its URL and is unconnected', beside(bad)],
    ['lacks its URL, in a separate part', beside(bad, 'Bad -> B')],
    ['has an expression that does not parse', beside(unread, 'Bad -> B')],
    ['is an agent without a model', beside(agent, 'Bad -> B')],
    ['is a form without its title', beside(node('Bad', 'formTrigger', 2.2, {}))],
    [
      'lacks its URL, after a disabled trigger',
      flow([start, ...steps('A'), { ...clock, disabled: true } as typeof clock, bad], ['Start -> A', 'Clock -> Bad']),
    ],
  ])('does not keep n8n from running the others if it %s', async (_, workflow) => {
    const { failure, executed } = (await runOf(workflow)) ?? {};
    expect({ failure, executed: [...(executed ?? [])] }).toEqual({ failure: undefined, executed: ['Start', 'A'] });
  });

  it.each([
    ['a type', node('Bad', 'nonsense', 1)],
    ['a version', node('Bad', 'httpRequest', 99)],
  ])('keeps n8n from running anything if it has %s that n8n does not know', async (_, one) => {
    expect((await runOf(beside(one)))?.failure).toBeDefined();
  });

  it('keeps n8n from publishing unless it is unconnected', async () => {
    const on = (...arrows: string[]) => flow([clock, ...steps('A', 'B'), bad], ['Clock -> A', ...arrows]);
    const [alone, connected] = await publications(n8n, [on(), on('Bad -> B')]);
    expect([alone?.status, connected?.status]).toEqual([200, 400]);
  });
});
