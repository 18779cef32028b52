import { expect, test, vi } from 'vitest';
import { readDefinition } from '../definition/read.ts';
import { plan } from './plan.ts';

const text = `name: x
inputs: { who: { type: string } }
steps:
  - id: a
    webhook: https://example.com/
    body: { one: "1 \${inputs.who}", more: ["2 \${inputs.who}", "3 \${inputs.who}"], other: "\${inputs.who}" }
`;

function planned(fill: (value: unknown) => Promise<unknown>) {
  const { definition } = readDefinition(text);
  const ready = async () => ({ definition, nested: {}, hash: '' });
  const evaluator = { fill, checkInputs: async (_: unknown, given: unknown) => given };
  const deps = { definitions: { ready }, evaluator: async () => evaluator, tool: () => undefined, services: () => [] };
  const principal = { id: 'ada', scopes: 'all' };
  return plan({ name: 'x', inputs: { who: 'ada' }, principal: principal as never }, deps as never);
}

test('expressions are filled in one after the other, so that runs get in between', async () => {
  let open = 0;
  let most = 0;
  await planned(async (value) => {
    most = Math.max(most, ++open);
    await Promise.resolve();
    open--;
    return value;
  });
  expect(most).toBe(1);
});

test('what takes too long stays as it is written', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { steps } = await planned(async (value) => {
      if (String(value).includes('${')) vi.advanceTimersByTime(3000);
      return String(value).replace('${inputs.who}', 'ada');
    });
    expect(steps[0]?.does).toMatchObject({
      body: { one: '1 ada', more: ['2 ada', '3 ${inputs.who}'], other: '${inputs.who}' },
    });
  } finally {
    vi.useRealTimers();
  }
});
