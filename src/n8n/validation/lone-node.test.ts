import { describe, expect, it } from 'vitest';
import { loneNode } from './lone-node.ts';

const othersOf = (parameters: Record<string, unknown>) =>
  loneNode({ name: 'It', parameters })
    .nodes.slice(1)
    .map(({ name }) => name);

describe('a node on its own', () => {
  it('finds every node that it refers to before it', () => {
    const text = `={{ $('One').item.json.a + $("It's two").first() + $node["Three"].json + $node.Four.json }}`;
    expect(othersOf({ deep: [{ text }], code: "$items('Five')" })).toEqual([
      'One',
      "It's two",
      'Three',
      'Four',
      'Five',
    ]);
    const { connections } = loneNode({ name: 'It', parameters: { text } });
    expect(connections.Four).toEqual({ main: [[{ node: 'It', type: 'main', index: 0 }]] });
  });

  it('refers not to itself, and to nothing where nothing is said', () => {
    expect(othersOf({ text: "={{ $('It').x }}", other: '$(5)', url: 'https://example.com' })).toEqual([]);
    expect(loneNode({}).nodes).toHaveLength(1);
  });

  it('is done at once with a text full of beginnings', () => {
    const before = performance.now();
    othersOf({ text: "$('".repeat(300_000) });
    expect(performance.now() - before).toBeLessThan(2000);
  });
});
