import { describe, expect, test } from 'vitest';
import { hosts, preferred, purposes } from '../../../src/nodes/connections/preferred.ts';
import { habits, habitsOfKind } from '../../../src/nodes/connections/typical.ts';
import { wholeName } from '../../../src/nodes/connections/whole-name.ts';
import { suggestConnections } from '../../../src/nodes/tools/suggest-connections.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { caller, replyBytes } from '../../support/node-tools.ts';

interface Port {
  kind: string;
  index: number;
  name?: string;
  required?: boolean;
  most?: number;
  candidates: { node: string; why?: string; parameters?: Record<string, unknown> }[];
  more?: number;
}

interface Suggestion {
  node: { name: string; version: number };
  needs: string[];
  inputs: Port[];
  outputs: Port[];
  example?: {
    nodes: { name: string; type: string; parameters?: object }[];
    connections: Record<string, Record<string, { node: string; type: string; index: number }[][]>>;
  };
  notes: string[];
  warning?: string;
}

describe.skipIf(catalogueIsMissing)('connection suggestions', () => {
  const catalogue = catalogueIsMissing === undefined ? testCatalogue() : (undefined as never);
  const ask = (node: string, more: Record<string, unknown> = {}) =>
    caller(catalogue)<Suggestion>(suggestConnections, { node, ...more });
  const names = (port: Port | undefined) => port?.candidates.map(({ node }) => node) ?? [];
  const of = (ports: readonly Port[], kind: string) => ports.find((port) => port.kind === kind);
  const ai = (name: string) => `@n8n/n8n-nodes-langchain.${name}`;

  test('every node in our lists exists in n8n', () => {
    const steps = [...habits.values()].flatMap(({ after = [], before = [], outputs = {} }) => [
      ...after,
      ...before,
      ...Object.values(outputs).flat(),
    ]);
    const kinds = Object.values(habitsOfKind).flatMap(({ after, before }) => [...after, ...before]);
    const all = [
      ...habits.keys(),
      ...[...steps, ...kinds].map(([name]) => name),
      ...[...preferred.values()].flat(),
      ...hosts,
    ];
    expect([...new Set(all)].filter((name) => !catalogue.node(wholeName(name)))).toEqual([]);
    expect([...preferred.keys()]).toEqual([...purposes.keys()]);
  });

  test.each([1e9, '1e9', 20_000_000])(
    'a count of %s is cheap, and does not block the next call',
    async (numberInputs) => {
      const before = process.cpuUsage();
      expect((await ask('n8n-nodes-base.merge', { parameters: { numberInputs } })).inputs).toEqual([]);
      // The sandbox stops slow code after a second.
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(900);
      expect((await ask('n8n-nodes-base.merge', { parameters: { numberInputs: 3 } })).inputs).toHaveLength(3);
    },
  );

  test('a node with hundreds of outputs shows the first ones and the total', async () => {
    const parameters = { mode: 'expression', numberOutputs: 500 };
    const { outputs, notes } = await ask('n8n-nodes-base.switch', { parameters });
    expect(replyBytes()).toBeLessThan(8192);
    expect(outputs.length).toBeGreaterThan(5);
    expect(notes.at(-1)).toBe(`It has 500 outputs; the first ${outputs.length} are shown.`);
    expect((await ask('n8n-nodes-base.switch', { parameters, limit: 2 })).outputs).toHaveLength(40);
  });

  test('an IF has suggestions for each branch', async () => {
    const { outputs, example } = await ask('n8n-nodes-base.if');
    expect(outputs.map(({ name, index }) => [name, index])).toEqual([
      ['true', 0],
      ['false', 1],
    ]);
    expect(names(outputs[1])).toContain('n8n-nodes-base.noOp');
    expect(example?.connections.If?.main).toHaveLength(2);
  });

  test('a loop leads back to itself, and continues when it is done', async () => {
    const { outputs, example } = await ask('FLOW.LOOP');
    expect(outputs.map(({ name }) => name)).toEqual(['done', 'loop']);
    const [done, loop] = example?.connections['Loop Over Items']?.main ?? [];
    expect(done).toHaveLength(1);
    const back = example?.connections[loop?.[0]?.node as string]?.main;
    expect(back).toEqual([[{ node: 'Loop Over Items', type: 'main', index: 0 }]]);
  });

  test('a switch has one output per rule', async () => {
    const rule = (outputKey: string) => ({ renameOutput: true, outputKey, conditions: {} });
    const parameters = { mode: 'rules', rules: { values: [rule('paid'), rule('open'), rule('late')] } };
    const { outputs } = await ask('n8n-nodes-base.switch', { parameters });
    expect(outputs.map(({ name }) => name)).toEqual(['paid', 'open', 'late']);
  });

  test('an agent needs a model, can have memory and tools, and an output parser if it is set to use one', async () => {
    const { needs, inputs, example } = await ask(ai('agent'));
    expect(needs).toEqual(['ai_languageModel']);
    expect(of(inputs, 'ai_languageModel')).toMatchObject({ required: true, most: 1 });
    expect(names(of(inputs, 'ai_languageModel'))[0]).toBe(ai('lmChatOpenAi'));
    expect(names(of(inputs, 'ai_memory'))[0]).toBe(ai('memoryBufferWindow'));
    expect(of(inputs, 'ai_tool')?.more).toBeGreaterThan(100);
    expect(of(inputs, 'ai_outputParser')).toBeUndefined();
    expect(example?.connections['OpenAI Chat Model']).toEqual({
      ai_languageModel: [[{ node: 'AI Agent', type: 'ai_languageModel', index: 0 }]],
    });
    const parsing = await ask(ai('agent'), { parameters: { hasOutputParser: true } });
    expect(names(of(parsing.inputs, 'ai_outputParser'))[0]).toBe(ai('outputParserStructured'));
  });

  test('an agent gets no nodes that its filter excludes', async () => {
    const { inputs } = await ask(ai('agent'), { port: 'ai_languageModel', limit: 100 });
    expect(names(inputs[0])).not.toContain(ai('lmOpenAi'));
    expect(names(inputs[0]).length).toBeGreaterThan(15);
  });

  test('what a vector store needs depends on its mode', async () => {
    const store = (mode: string) => ask(ai('vectorStoreInMemory'), { parameters: { mode } });
    expect((await store('insert')).needs.sort()).toEqual(['ai_document', 'ai_embedding']);
    const tool = await store('retrieve-as-tool');
    expect(tool.needs).toEqual(['ai_embedding']);
    expect(tool.outputs.map(({ kind }) => kind)).toEqual(['ai_tool']);
    expect(names(tool.outputs[0])[0]).toBe(ai('agent'));
  });

  test('a sub-node lists its hosts, and the parameters they need', async () => {
    const model = await ask(ai('lmChatAnthropic'));
    expect(model.outputs).toHaveLength(1);
    expect(names(model.outputs[0])).toContain(ai('agent'));
    const parser = await ask(ai('outputParserStructured'), { limit: 20 });
    const agent = parser.outputs[0]?.candidates.find(({ node }) => node === ai('agent'));
    expect(agent?.parameters).toEqual({ hasOutputParser: true });
    const tool = await ask('n8n-nodes-base.slackTool');
    expect(names(tool.outputs[0])).toEqual(expect.arrayContaining([ai('agent'), ai('mcpTrigger')]));
  });

  test('a node that asks a person has a note about its single output', async () => {
    const plain = await ask('n8n-nodes-base.gmail');
    const waiting = await ask('n8n-nodes-base.gmail', { parameters: { operation: 'sendAndWait' } });
    expect(names(waiting.outputs[0]).slice(0, 2)).toEqual(['n8n-nodes-base.if', 'n8n-nodes-base.switch']);
    expect(waiting.notes[0]).toMatch(/HUMAN_IN_THE_LOOP/);
    expect(plain.notes.join()).not.toMatch(/HUMAN_IN_THE_LOOP/);
  });

  test('a trigger has no predecessor, and an action suggests the trigger of its service', async () => {
    expect((await ask('n8n-nodes-base.slackTrigger')).inputs).toEqual([]);
    expect(names((await ask('n8n-nodes-base.slackTrigger')).outputs[0])).toContain('n8n-nodes-base.slack');
    expect(names((await ask('n8n-nodes-base.slack')).inputs[0])).toContain('n8n-nodes-base.slackTrigger');
    expect((await ask('n8n-nodes-base.stopAndError')).outputs).toEqual([]);
  });

  test('every node has an answer below 8 KB with a complete example', async () => {
    for (const { name } of catalogue.nodes()) {
      const { example, inputs } = await ask(name);
      expect(replyBytes(), name).toBeLessThan(8192);
      const known = new Set(example?.nodes.map((node) => node.name));
      const ends = Object.entries(example?.connections ?? {}).flatMap(([from, kinds]) => [
        from,
        ...Object.values(kinds).flatMap((outputs) => outputs.flat().map(({ node }) => node)),
      ]);
      expect(
        ends.filter((end) => !known.has(end)),
        name,
      ).toEqual([]);
      for (const { required, candidates, kind } of inputs) {
        if (required) expect(candidates, `${name} ${kind}`).not.toEqual([]);
      }
    }
  });

  test('bad input is refused with advice', async () => {
    await expect(ask('n8n-nodes-base.if', { version: 99 })).rejects.toThrow(/no version 99. It has 1, 2/);
    await expect(ask('n8n-nodes-base.if', { port: 'ai_tool' })).rejects.toThrow(/no port ai_tool.*It has main/);
    await expect(ask('nothing like this exists')).rejects.toThrow(/search_nodes/);
    for (const odd of ['__proto__', 'constructor']) await expect(ask(odd)).rejects.toThrow(/There is no node/);
    const { warning } = await ask('AI_AGENT_NODE', { subtype: 'OPENAI_CHATGPT' });
    expect(warning).toMatch(/_NODE/);
    expect(
      (await ask(ai('agent'), { parameters: { constructor: 'x', __proto__: { hasOutputParser: true } } })).needs,
    ).toEqual(['ai_languageModel']);
  });
});
