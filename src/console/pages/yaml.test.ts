import { assert, dictionary, jsonValue, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { yamlOf } from './yaml.ts';

it('reads like a file that a person wrote', () => {
  const shown = yamlOf({
    mcpServers: { notes: { command: 'npx', args: ['-y', 'notes'], env: {}, headers: { A: 'Bearer ${TOKEN}' } } },
    list: [{ a: 1, b: [true] }, 'x'],
    port: '3500',
  });
  expect(shown).toBe(`mcpServers:
  notes:
    command: npx
    args:
      - "-y"
      - notes
    env: {}
    headers:
      A: Bearer \${TOKEN}
list:
  - a: 1
    b:
      - true
  - x
port: "3500"
`);
});

it('says the same as the value it was made of', () => {
  assert(
    property(dictionary(string(), jsonValue(), { minKeys: 1 }), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as object;
      expect(parse(yamlOf(plain))).toEqual(plain);
    }),
    { numRuns: 500 },
  );
});
