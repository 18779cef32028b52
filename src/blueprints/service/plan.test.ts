import { expect, test, vi } from 'vitest';
import { readDefinition } from '../definition/read.ts';
import { createEvaluator } from '../expressions/evaluator.ts';
import { plan } from './plan.ts';

const text = `name: x
inputs: { who: { type: string } }
steps:
  - id: a
    webhook: https://example.com/
    body: { one: "1 \${inputs.who}", more: ["2 \${inputs.who}", "3 \${inputs.who}"], other: "\${inputs.who}" }
`;

function planned(fill: (value: unknown) => Promise<unknown>, yaml = text, inputs: object = { who: 'ada' }) {
  const { definition } = readDefinition(yaml);
  const ready = async () => ({ definition, nested: {}, hash: '' });
  const evaluator = { fill, checkInputs: async (_: unknown, given: unknown) => given };
  const deps = {
    definitions: { ready },
    evaluator: async () => evaluator,
    tool: () => undefined,
    isReadOnly: () => false,
    services: () => [],
  };
  const principal = { id: 'ada', scopes: 'all' };
  return plan({ name: 'x', inputs: inputs as never, principal: principal as never }, deps as never);
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

test('a part of a secret that is not a text stays as it is written', async () => {
  const yaml = `name: x
inputs: { login: { type: object, secret: true }, pin: { type: string, secret: true } }
steps:
  - id: a
    webhook: https://example.com/
    body: { user: "\${inputs.login.user}", pin: "\${inputs.pin}" }
`;
  await using evaluator = createEvaluator();
  const fill = (value: unknown) => evaluator.fill(value, { inputs: { login: '[secret]', pin: '[secret]' } });
  const { steps } = await planned(fill, yaml, { login: { user: 'ada' }, pin: '123' });
  expect(steps[0]?.does).toMatchObject({ body: { user: '${inputs.login.user}', pin: '[secret]' } });
});
