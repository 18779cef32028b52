import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Size, sizesOf } from './node-size.ts';
import { type Position, placedNodes } from './place-nodes.ts';
import { type Placeable, wiresOf } from './wires.ts';

type Target = { node: string; type: string; index: number };
type Connections = Record<string, Record<string, Target[][]>>;

/** `A > B C | D`: A has two outputs, the first to B and C. `ai_tool: X > Agent`: a wire of kind ai_tool. */
function wired(...lines: string[]): Connections {
  const connections: Connections = {};
  for (const line of lines) {
    const [, kind = 'main', source = '', targets = ''] = /^(?:(\w+): )?(.+?) > (.*)$/.exec(line) ?? [];
    const outputs = targets
      .split('|')
      .map((output) => output.trim().split(' ').filter(Boolean))
      .map((names) => names.map((node) => ({ node, type: kind, index: 0 })));
    connections[source] = { ...connections[source], [kind]: outputs };
  }
  return connections;
}

function placed(names: string, lines: string[], more: Record<string, Partial<Placeable>> = {}) {
  const nodes = names.split(' ').map((name): Placeable => ({ name, type: 'n8n-nodes-base.noOp', ...more[name] }));
  const positions = placedNodes(nodes, wired(...lines));
  return Object.fromEntries(nodes.map(({ name }, index) => [name, positions[index] as Position]));
}

describe('nodes without a position', () => {
  test('of a chain form a line', () => {
    expect(placed('A B C', ['A > B', 'B > C'])).toEqual({ A: [0, 0], B: [224, 0], C: [448, 0] });
  });

  test('of two branches go above and below, and their join in the middle', () => {
    expect(
      placed('In If Yes No Merge End', ['In > If', 'If > Yes | No', 'Yes > Merge', 'No > Merge', 'Merge > End']),
    ).toEqual({
      In: [0, 0],
      If: [224, 0],
      Yes: [448, -96],
      No: [448, 96],
      Merge: [672, 0],
      End: [896, 0],
    });
  });

  test('leave room for a wire that skips them', () => {
    const { If, Yes, Merge } = placed('If Yes Merge', ['If > Yes | Merge', 'Yes > Merge']);
    expect(Yes?.[1]).toBeLessThan(If?.[1] as number);
    expect(Merge).toEqual([448, 0]);
  });

  test('behind many outputs follow the order of the outputs', () => {
    const { A, B, C, D } = placed('S D C B A', ['S > A | B | C | D']);
    expect([A, B, C, D].map((one) => one?.[1])).toEqual([-256, -64, 128, 320]);
  });

  test('behind one output follow the order of the wires, in which n8n runs them', () => {
    const { X, Y, Z } = placed('S Z Y X', ['S > X Y Z']);
    expect([X, Y, Z].map((one) => one?.[1])).toEqual([-192, 0, 192]);
  });

  test('behind an error output go below, and the main flow stays straight', () => {
    const places = placed('A B C E F', ['A > B | E', 'B > C | F'], {
      A: { onError: 'continueErrorOutput' },
      B: { onError: 'continueErrorOutput' },
    });
    expect(places).toEqual({ A: [0, 0], B: [224, 0], C: [448, 0], E: [224, 192], F: [448, 192] });
  });

  test('of a loop follow the node that starts it', () => {
    const places = placed('In Loop Done Work', ['In > Loop', 'Loop > Done | Work', 'Work > Loop']);
    expect(places).toEqual({ In: [0, 0], Loop: [224, 0], Done: [448, -96], Work: [448, 96] });
  });

  test('that start the same flow are stacked', () => {
    const { Hook, Daily, Work } = placed('Hook Daily Work', ['Hook > Work', 'Daily > Work']);
    expect([Hook, Daily, Work]).toEqual([
      [0, 0],
      [0, 192],
      [224, 96],
    ]);
  });

  test('of separate flows get separate rows', () => {
    const { A, C } = placed('A B C D', ['A > B', 'C > D']);
    expect([A, C]).toEqual([
      [0, 0],
      [0, 192],
    ]);
  });

  test('without connections go side by side', () => {
    expect(placed('A B', [])).toEqual({ A: [0, 0], B: [224, 0] });
  });

  test('that serve an agent go below it: model, memory, tools', () => {
    const places = placed('Chat Agent Tool Model Memory Reply', [
      'Chat > Agent',
      'Agent > Reply',
      'ai_tool: Tool > Agent',
      'ai_languageModel: Model > Agent',
      'ai_memory: Memory > Agent',
    ]);
    expect(places).toEqual({
      Chat: [0, 0],
      Agent: [304, 0],
      Model: [224, 224],
      Memory: [384, 224],
      Tool: [544, 224],
      Reply: [752, 0],
    });
  });

  test('leave room for an agent that has no sub-nodes yet', () => {
    const { After } = placed('Agent After', ['Agent > After'], { Agent: { type: '@n8n/n8n-nodes-langchain.agent' } });
    expect(After).toEqual([352, 0]);
  });

  test('that serve a sub-node go below that one', () => {
    const { Store, Embed, Model } = placed('Agent Model Store Embed', [
      'ai_languageModel: Model > Agent',
      'ai_tool: Store > Agent',
      'ai_embedding: Embed > Store',
    ]);
    expect(Store?.[1]).toBe(Model?.[1]);
    expect(Embed?.[1]).toBe((Store?.[1] as number) + 208);
    expect(Embed?.[0]).toBe((Store?.[0] as number) + 80);
  });
});

describe('beside nodes that have a position', () => {
  const at = (x: number, y: number): Partial<Placeable> => ({ position: [x, y] });

  test('a new node goes right of its source', () => {
    expect(placed('A B', ['A > B'], { A: at(40, 300) }).B).toEqual([264, 300]);
  });

  test('a new node between two goes below if there is no room', () => {
    const { New, B } = placed('A B New', ['A > New', 'New > B'], { A: at(0, 0), B: at(224, 0) });
    expect(B).toEqual([224, 0]);
    expect(New).toEqual([224, 192]);
  });

  test('a new trigger goes left of its target', () => {
    expect(placed('A New', ['New > A'], { A: at(500, 100) }).New).toEqual([276, 100]);
  });

  test('new branches follow the order of the outputs', () => {
    const { Yes, No } = placed('If Yes No', ['If > Yes | No'], { If: at(0, 0) });
    expect(Yes?.[1]).toBeLessThan(No?.[1] as number);
  });

  test('a new tool goes beside the existing sub-nodes', () => {
    const places = placed('Agent Model Tool', ['ai_languageModel: Model > Agent', 'ai_tool: Tool > Agent'], {
      Agent: at(0, 0),
      Model: at(0, 224),
    });
    expect(places.Tool).toEqual([160, 224]);
  });

  test('an unconnected node starts a new row, below sticky notes too', () => {
    const note: Partial<Placeable> = {
      type: 'n8n-nodes-base.stickyNote',
      parameters: { width: 600, height: 400 },
      position: [-100, -100],
    };
    const { New, Note } = placed('A Note New', [], { A: at(0, 0), Note: note });
    expect(Note).toEqual([-100, -100]);
    expect(New).toEqual([-100, 396]);
  });

  test('a new sticky note goes above everything', () => {
    const { Note } = placed('A Note', [], { A: at(0, 0), Note: { type: 'n8n-nodes-base.stickyNote' } });
    expect(Note).toEqual([0, -224]);
  });
});

describe('for any graph', () => {
  const graph = fc.integer({ min: 1, max: 24 }).chain((count) => {
    const index = fc.nat({ max: count - 1 });
    const kind = fc.constantFrom('main', 'main', 'main', 'ai_tool', 'ai_languageModel');
    const wire = fc.record({ from: index, to: index, kind, output: fc.nat({ max: 3 }) });
    const place = fc.option(fc.tuple(fc.integer({ min: -30, max: 30 }), fc.integer({ min: -30, max: 30 })), {
      nil: undefined,
      freq: 3,
    });
    return fc.record({
      wires: fc.array(wire, { maxLength: count * 2 }),
      places: fc.array(place, { minLength: count, maxLength: count }),
      fixed: fc.boolean(),
    });
  });
  type Graph = {
    wires: { from: number; to: number; kind: string; output: number }[];
    places: ([number, number] | undefined)[];
    fixed: boolean;
  };

  function build({ wires, places, fixed }: Graph) {
    const nodes = places.map(
      (place, index): Placeable => ({
        name: `N${index}`,
        type: 'n8n-nodes-base.noOp',
        ...(place && fixed && { position: [place[0] * 40, place[1] * 40] as const }),
      }),
    );
    const connections: Connections = {};
    for (const { from, to, kind, output } of wires) {
      const outputs = ((connections[`N${from}`] ??= {})[kind] ??= []);
      while (outputs.length <= output) outputs.push([]);
      outputs[output]?.push({ node: `N${to}`, type: kind, index: 0 });
    }
    return { nodes, connections };
  }

  test('new nodes overlap nothing, placed nodes stay, and the result is deterministic', () => {
    fc.assert(
      fc.property(graph, (given) => {
        const { nodes, connections } = build(given);
        const positions = placedNodes(nodes, connections);
        expect(placedNodes(nodes, connections)).toEqual(positions);
        const sizes = sizesOf(nodes, wiresOf(nodes, connections));
        for (const [one, [x, y]] of positions.entries()) {
          const { position } = nodes[one] as Placeable;
          if (position) expect([x, y]).toEqual(position);
          for (const [other, [left, top]] of positions.entries()) {
            if (other === one || position) continue;
            const [mine, its] = [sizes[one] as Size, sizes[other] as Size];
            const beside = x + mine.width <= left || left + its.width <= x;
            const below = y + mine.height <= top || top + its.height <= y;
            expect(beside || below, `N${one} overlaps N${other}`).toBe(true);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  test('a node is right of all its sources, except in a loop', () => {
    fc.assert(
      fc.property(graph, (given) => {
        const wires = given.wires.filter(({ from, to }) => from < to).map((wire) => ({ ...wire, kind: 'main' }));
        const { nodes, connections } = build({ ...given, wires, fixed: false });
        const positions = placedNodes(nodes, connections);
        for (const { from, to } of wires) {
          expect((positions[to] as Position)[0]).toBeGreaterThanOrEqual((positions[from] as Position)[0] + 224);
        }
      }),
      { numRuns: 200 },
    );
  });

  const many = Array.from({ length: 5000 }, (_, index): Placeable => ({ name: `N${index}`, type: 't' }));
  const to = (index: number, type = 'main') => [{ node: `N${index}`, type, index: 0 }];
  const all = (wire: (index: number) => Record<string, Target[][]>): Connections =>
    Object.fromEntries(many.map(({ name }, index) => [name, wire(index)]));

  test.each<[string, Placeable[], Connections]>([
    ['in a chain, each with a wire to the end', many, all((index) => ({ main: [to(index + 1), to(4999)] }))],
    [
      'behind one node',
      many,
      { N0: { main: [many.slice(1).map(({ name }) => ({ node: name, type: 'main', index: 0 }))] } },
    ],
    ['each a sub-node of the next', many, all((index) => ({ ai_tool: [to(index + 1, 'ai_tool')] }))],
    [
      'each behind a placed node of a column',
      many.map((node, index) => (index % 2 ? node : { ...node, position: [0, index * 60] as const })),
      all((index) => ({ main: [to(index + 1)] })),
    ],
    [
      'in a chain behind many placed nodes',
      many.map((node, index) => (index < 2500 ? { ...node, position: [index * 60, index * 60] as const } : node)),
      all((index) => ({ main: index < 2499 ? [] : [to(index + 1)] })),
    ],
  ])('five thousand nodes are placed: %s', (_, nodes, connections) => {
    expect(placedNodes(nodes, connections)).toHaveLength(5000);
  });
});
