import { flow, node } from './case.ts';

/** A valid workflow around one text: `Start -> Fetch -> It -> After`, and `Aside` on another branch. */
export function withValue(value: unknown) {
  return flow(
    [
      node('Start', 'manualTrigger', 1),
      node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com/orders', options: {} }),
      node('It', 'set', 3.4, {
        assignments: { assignments: [{ id: 'a', name: 'field', value, type: 'string' }] },
        options: {},
      }),
      node('After', 'noOp', 1),
      node('Aside', 'noOp', 1),
    ],
    ['Start -> Fetch', 'Fetch -> It', 'It -> After', 'Start -> Aside'],
  );
}

export const value = '/nodes/2/parameters/assignments/assignments/0/value';

/** The same workflow around a Code node. */
export function withCode(jsCode: string, parameters: Record<string, unknown> = {}) {
  return flow(
    [node('Start', 'manualTrigger', 1), node('It', 'code', 2, { jsCode, ...parameters }), node('After', 'noOp', 1)],
    ['Start -> It', 'It -> After'],
  );
}

export const code = '/nodes/1/parameters/jsCode';
