import { describe, expect, it } from 'vitest';
import { curatedNames } from '../../../src/nodes/curated/names.ts';
import { classify, nodeTypes } from '../../../src/nodes/taxonomy/taxonomy.ts';
import { getNodeTypes } from '../../../src/nodes/tools/get-node-types.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { caller, replyBytes } from '../../support/node-tools.ts';

type Types = Record<string, string[]>;

describe.skipIf(catalogueIsMissing)('the eight types', () => {
  const catalogue = testCatalogue();
  const nodes = catalogue.nodes();
  const call = caller(catalogue);
  const placeOf = (name: string) => {
    const { type, subtype } = catalogue.node(name) ?? {};
    return `${type}.${subtype}`;
  };

  it('cover every node of both packages', () => {
    expect(nodes.length).toBeGreaterThan(800);
    expect(
      nodes.filter(({ type, subtype }) => !nodeTypes.includes(type) || !/^[A-Z0-9]+(_[A-Z0-9]+)*$/.test(subtype)),
    ).toEqual([]);
    expect([...new Set(nodes.map(({ type }) => type))].sort()).toEqual([...nodeTypes].sort());
  });

  it('give each node a subtype that is unique within its type', () => {
    const places = nodes.map(({ type, subtype }) => `${type}.${subtype}`);
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
  });

  it('do not depend on the version of a node', () => {
    const moved = nodes.filter(({ name, versions, type }) =>
      versions.some((version) => {
        const description = catalogue.description(name, version);
        return description && classify(description).type !== type;
      }),
    );
    expect(moved.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    ['n8n-nodes-base.scheduleTrigger', 'TRIGGER.CRON'],
    ['n8n-nodes-base.cron', 'TRIGGER.CRON_DEPRECATED'],
    ['n8n-nodes-base.gmailTrigger', 'TRIGGER.GMAIL'],
    ['@n8n/n8n-nodes-langchain.mcpTrigger', 'TRIGGER.MCP'],
    ['@n8n/n8n-nodes-langchain.agent', 'AI_AGENT.AGENT'],
    ['@n8n/n8n-nodes-langchain.lmChatOpenAi', 'AI_AGENT.LM_CHAT_OPEN_AI'],
    ['@n8n/n8n-nodes-langchain.outputParserStructured', 'AI_AGENT.OUTPUT_PARSER_STRUCTURED'],
    ['@n8n/n8n-nodes-langchain.textClassifier', 'AI_AGENT.TEXT_CLASSIFIER'],
    ['@n8n/n8n-nodes-langchain.googleGemini', 'AI_AGENT.GOOGLE_GEMINI_API'],
    ['n8n-nodes-base.code', 'ACTION.CODE'],
    ['n8n-nodes-base.set', 'ACTION.DATA_TRANSFORMATION'],
    ['n8n-nodes-base.httpRequest', 'ACTION.HTTP_REQUEST'],
    ['n8n-nodes-base.slack', 'EXTERNAL_ACTION.SLACK'],
    ['n8n-nodes-base.hackerNews', 'EXTERNAL_ACTION.HACKER_NEWS'],
    ['n8n-nodes-base.emailSend', 'EXTERNAL_ACTION.EMAIL_SEND'],
    ['n8n-nodes-base.splitInBatches', 'FLOW.LOOP'],
    ['n8n-nodes-base.switch', 'FLOW.SWITCH'],
    ['n8n-nodes-base.respondToWebhook', 'FLOW.RESPOND_TO_WEBHOOK'],
    ['n8n-nodes-base.form', 'HUMAN_IN_THE_LOOP.FORM'],
    ['n8n-nodes-base.slackHitlTool', 'HUMAN_IN_THE_LOOP.SLACK_HITL_TOOL'],
    ['n8n-nodes-base.slackTool', 'TOOL.SLACK_MCP_TOOL'],
    ['n8n-nodes-base.gmailTool', 'TOOL.GMAIL_TOOL'],
    ['@n8n/n8n-nodes-langchain.toolCalculator', 'TOOL.TOOL_CALCULATOR'],
    ['@n8n/n8n-nodes-langchain.memoryBufferWindow', 'MEMORY.CONVERSATION_BUFFER'],
    ['@n8n/n8n-nodes-langchain.vectorStorePGVector', 'MEMORY.VECTOR_STORE_PG_VECTOR'],
    ['@n8n/n8n-nodes-langchain.embeddingsOpenAi', 'MEMORY.EMBEDDINGS_OPEN_AI'],
  ])('classify %s as %s', (name, place) => expect(placeOf(name)).toBe(place));

  it('are listed with curated names first, in a reply below 8 KB', async () => {
    const types = await call<Types>(getNodeTypes);
    expect(replyBytes()).toBeLessThan(8192);
    expect(Object.keys(types)).toEqual([...nodeTypes]);
    for (const type of nodeTypes) {
      expect(types[type]?.slice(0, curatedNames[type].length)).toEqual(curatedNames[type]);
    }
    expect(types.FLOW).toContain('SWITCH');
    expect(types.ACTION).toContain('CODE');
    expect(types.HUMAN_IN_THE_LOOP).toContain('FORM');
  });

  it('are listed completely, type by type', async () => {
    const all = await Promise.all(nodeTypes.map((type) => call<Types>(getNodeTypes, { type_filter: type })));
    expect(all.map((one) => Object.keys(one))).toEqual(nodeTypes.map((type) => [type]));
    const listed = new Set(
      all.flatMap((one) => Object.entries(one).flatMap(([type, list]) => list.map((name) => `${type}.${name}`))),
    );
    expect(nodes.filter(({ type, subtype }) => !listed.has(`${type}.${subtype}`))).toEqual([]);
  });

  it.each(['AI_AGENT_NODE', 'ai_agent', 'ai-agent', 'Ai Agent Node'])('are those of AI_AGENT for %s', async (given) => {
    expect(await call<Types>(getNodeTypes, { type_filter: given })).toEqual(
      await call<Types>(getNodeTypes, { type_filter: 'AI_AGENT' }),
    );
  });

  it('are filtered by a word', async () => {
    const types = await call<Types>(getNodeTypes, { contains: 'google sheets' });
    expect(types).toEqual({
      TRIGGER: ['GOOGLE_SHEETS'],
      EXTERNAL_ACTION: ['GOOGLE_SHEETS'],
      TOOL: ['GOOGLE_SHEETS_TOOL'],
    });
  });

  it('refuse unknown names with advice', async () => {
    await expect(call(getNodeTypes, { type_filter: 'NONSENSE' })).rejects.toThrow(/type_filter/);
    await expect(call(getNodeTypes, { contains: '__proto__' })).rejects.toThrow(/search_nodes/);
    // Must not match every name with an underscore.
    await expect(call(getNodeTypes, { contains: '日本' })).rejects.toThrow(/search_nodes/);
    await expect(call(getNodeTypes, { contains: '%%' })).rejects.toThrow(/search_nodes/);
  });
});
