import { describe, expect, it } from 'vitest';
import { loneNode } from './lone-node.ts';

const othersOf = (parameters: Record<string, unknown>) =>
  loneNode({ name: 'It', parameters })
    .nodes.slice(1)
    .map(({ name }) => name);

describe('the workflow around one node', () => {
  it('has every node that it refers to, before it', () => {
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

  it('has no other nodes if it refers to none or to itself', () => {
    expect(othersOf({ text: "={{ $('It').x }}", other: '$(5)', url: 'https://example.com' })).toEqual([]);
    expect(loneNode({}).nodes).toHaveLength(1);
  });

  it('is built quickly for a text full of unfinished references', () => {
    const before = performance.now();
    othersOf({ text: "$('".repeat(300_000) });
    expect(performance.now() - before).toBeLessThan(2000);
  });
});
