import { expect, test } from 'vitest';
import { connectionsOf } from './links.ts';

test('wires are converted to the format of n8n: by node, by kind, one list per output', () => {
  const main = { kind: 'main', input: 0 };
  expect(
    connectionsOf([
      { from: 'If', output: 1, to: 'Stop', ...main },
      { from: 'If', output: 0, to: 'Send', ...main },
      { from: 'If', output: 0, to: 'Keep', kind: 'main', input: 1 },
      { from: 'Model', output: 0, to: 'Agent', kind: 'ai_languageModel', input: 0 },
    ]),
  ).toEqual({
    If: {
      main: [
        [
          { node: 'Send', type: 'main', index: 0 },
          { node: 'Keep', type: 'main', index: 1 },
        ],
        [{ node: 'Stop', type: 'main', index: 0 }],
      ],
    },
    Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
  });
});

test('an unconnected output before a connected one becomes an empty list', () => {
  expect(connectionsOf([{ from: 'Switch', output: 2, to: 'End', kind: 'main', input: 0 }]).Switch?.main).toEqual([
    [],
    [],
    [{ node: 'End', type: 'main', index: 0 }],
  ]);
});

test('a node called __proto__ is treated like any other', () => {
  const made = connectionsOf([{ from: '__proto__', output: 0, to: 'End', kind: '__proto__', input: 0 }]);
  expect(Object.keys(made)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
});
