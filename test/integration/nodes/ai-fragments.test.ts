/** Runs agents and their attachments in a real n8n, with a fake model. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionTools } from '../../../src/n8n/executions/tools.ts';
import { runningTools } from '../../../src/n8n/running/tools.ts';
import type { Connections, Node } from '../../../src/n8n/client/shapes.ts';
import { curatedSpecs } from '../../../src/nodes/curated/registry.ts';
import type { Fragment } from '../../../src/nodes/fragments/fragment.ts';
import { fragmentFor } from '../../../src/nodes/fragments/fragment-for.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, make, node, set } from '../../support/workflows.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';
import { startModels } from './models.ts';

const missing = catalogueIsMissing ?? (process.env.N8N_TEST_URL === undefined ? n8nIsMissing : undefined);

describe.skipIf(missing)('AI fragments', () => {
  let bench: Workbench;
  let models: Awaited<ReturnType<typeof startModels>>;
  /** By node type. */
  const credentials = new Map<string, Record<string, { id: string; name: string }>>();

  beforeAll(async () => {
    models = await startModels();
    bench = await openWorkbench([...runningTools, ...executionTools]);
    const { url } = models;
    const add = async (type: string, data: Record<string, unknown>, ...users: string[]) => {
      const { id, name } = await bench.client.credentials.create({ name: bench.name(type), type, data });
      for (const user of users) credentials.set(`@n8n/n8n-nodes-langchain.${user}`, { [type]: { id, name } });
    };
    await add('openAiApi', { apiKey: 'k', url: `${url}/v1`, header: false }, 'lmChatOpenAi', 'embeddingsOpenAi');
    await add('anthropicApi', { apiKey: 'k', url, header: false }, 'lmChatAnthropic');
    await add('googlePalmApi', { apiKey: 'k', host: url }, 'lmChatGoogleGemini');
  }, N8N_START_MS);

  afterAll(async () => {
    const ids = new Set([...credentials.values()].flatMap((one) => Object.values(one).map(({ id }) => id)));
    for (const id of ids) await bench.client.credentials.delete(id);
    await bench[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  });

  const curated = (name: string) => curatedSpecs.get(name)?.fragment(testCatalogue()) as Fragment;

  /** Makes a workflow from several fragments, with their credentials and additional connections. */
  async function workflow(label: string, fragments: readonly Fragment[], attach: Connections = {}, first = 'AI Agent') {
    const nodes = fragments
      .flatMap((one) => one.nodes as unknown as Node[])
      .map((one) => {
        const needed = credentials.get(one.type);
        return needed ? { ...one, credentials: needed } : one;
      });
    const target = nodes.find(({ name }) => name === first) as Node;
    const lead = line(hook(bench.name(label)), set('Order', '$json.body'), target);
    return make(bench, label, {
      nodes: [...lead.nodes, ...nodes.filter((one) => one !== target)],
      connections: {
        ...lead.connections,
        ...(Object.assign({}, ...fragments.map((one) => one.connections)) as Connections),
        ...attach,
      },
    });
  }
  const say = async (id: string, chatInput: string, sessionId = 's') => {
    const { data } = await bench.call<{ data: unknown[] }>('n8n_execute_workflow', {
      id,
      data: { chatInput, sessionId },
    });
    return data;
  };

  test.each(['OPENAI_CHATGPT', 'ANTHROPIC_CLAUDE', 'GOOGLE_GEMINI'])('AI_AGENT.%s answers', async (subtype) => {
    const { id } = await workflow(subtype, [curated(`AI_AGENT.${subtype}`)]);
    expect(await say(id, 'Where is Ada?')).toEqual([{ output: 'I heard: Where is Ada?' }]);
    expect(JSON.stringify(models.asked.at(-1)?.body)).toContain('You are a helpful assistant.');
  });

  test('MEMORY.CONVERSATION_BUFFER gives the agent its history, and keeps conversations separate', async () => {
    const { id } = await workflow(
      'memory',
      [curated('AI_AGENT.OPENAI_CHATGPT'), curated('MEMORY.CONVERSATION_BUFFER')],
      { 'Simple Memory': { ai_memory: [[{ node: 'AI Agent', type: 'ai_memory', index: 0 }]] } },
    );
    await say(id, 'My name is Ada.', 'one');
    await say(id, 'What is my name?', 'one');
    expect(JSON.stringify(models.asked.at(-1)?.body)).toContain('My name is Ada.');
    await say(id, 'What is my name?', 'two');
    expect(JSON.stringify(models.asked.at(-1)?.body)).not.toContain('My name is Ada.');
  });

  test('the agent uses an attached tool, a calculator', async () => {
    const { id } = await workflow(
      'calculator',
      [curated('AI_AGENT.OPENAI_CHATGPT'), fragmentFor(testCatalogue(), '@n8n/n8n-nodes-langchain.toolCalculator')],
      { Calculator: { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] } },
    );
    expect(JSON.stringify(await say(id, '25*42'))).toContain('1050');
  });

  test('MEMORY.VECTOR_DATABASE lets the agent find inserted texts', async () => {
    const store = JSON.parse(
      JSON.stringify(curated('MEMORY.VECTOR_DATABASE')).replaceAll('knowledge', bench.name('k')),
    ) as Fragment;
    const filling = {
      nodes: store.nodes.map((one) =>
        one.name === 'Vector Store'
          ? { ...one, name: 'Fill', parameters: { mode: 'insert', memoryKey: one.parameters.memoryKey } }
          : one,
      ),
      connections: { Embeddings: { ai_embedding: [[{ node: 'Fill', type: 'ai_embedding', index: 0 }]] } },
    } as Fragment;
    const loader = node('Loader', '@n8n/n8n-nodes-langchain.documentDefaultDataLoader', 1.1, {
      jsonMode: 'expressionData',
      jsonData: '={{ $json.chatInput }}',
      options: {},
    });
    const fill = await workflow(
      'fill',
      [filling, { nodes: [loader] as never, connections: {} }],
      { Loader: { ai_document: [[{ node: 'Fill', type: 'ai_document', index: 0 }]] } },
      'Fill',
    );
    await say(fill.id, 'Hold the button for ten seconds.');
    const { id } = await workflow('search', [curated('AI_AGENT.OPENAI_CHATGPT'), store], {
      'Vector Store': { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] },
    });
    expect(JSON.stringify(await say(id, 'Which button?'))).toContain('Hold the button for ten seconds.');
  });
});
