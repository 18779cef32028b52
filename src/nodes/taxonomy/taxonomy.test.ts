import { describe, expect, it } from 'vitest';
import { type Classified, classify, screaming } from './taxonomy.ts';

const node = (name: string, more: Partial<Classified> = {}): Classified => ({
  name,
  group: ['transform'],
  outputs: ['main'],
  ...more,
});
const place = (...args: Parameters<typeof node>) => {
  const { type, subtype } = classify(node(...args));
  return `${type}.${subtype}`;
};

describe('classify', () => {
  it('treats a community node with credentials as a service, and one without as an action', () => {
    const credentials = [{ name: 'acmeApi' }];
    expect(place('n8n-nodes-acme.acme', { credentials })).toBe('EXTERNAL_ACTION.ACME__ACME');
    expect(place('n8n-nodes-acme.textTool')).toBe('ACTION.ACME__TEXT_TOOL');
  });

  it("keeps the names of community nodes distinct from n8n's own and from curated ones", () => {
    expect(place('n8n-nodes-google.sheets', { credentials: [{ name: 'a' }] })).toBe('EXTERNAL_ACTION.GOOGLE__SHEETS');
    expect(place('@mendable/n8n-nodes-firecrawl.firecrawl', { credentials: [{ name: 'a' }] })).toBe(
      'EXTERNAL_ACTION.MENDABLE_FIRECRAWL__FIRECRAWL',
    );
  });

  it('classifies triggers by group and sub-nodes by output, community nodes included', () => {
    expect(place('n8n-nodes-acme.acmeTrigger', { group: ['trigger'] })).toBe('TRIGGER.ACME__ACME');
    expect(place('n8n-nodes-acme.lmAcme', { outputs: ['ai_languageModel'] })).toBe('AI_AGENT.ACME__LM_ACME');
    expect(place('n8n-nodes-acme.memory', { outputs: [{ type: 'ai_memory' }] })).toBe('MEMORY.ACME__MEMORY');
    expect(place('n8n-nodes-acme.acmeTool', { outputs: ['ai_tool'] })).toBe('TOOL.ACME__ACME_TOOL');
    expect(place('n8n-nodes-acme.acmeHitlTool', { outputs: ['ai_tool'] })).toBe(
      'HUMAN_IN_THE_LOOP.ACME__ACME_HITL_TOOL',
    );
  });

  it('accepts odd names', () => {
    expect(place('n8n-nodes-base.Trigger', { group: ['trigger'] })).toBe('TRIGGER.TRIGGER');
    expect(place('__proto__.constructor')).toBe('ACTION.PROTO__CONSTRUCTOR');
    expect(place('nodot')).toBe('ACTION.__NODOT');
  });
});

describe('screaming', () => {
  it.each([
    ['httpRequest', 'HTTP_REQUEST'],
    ['vectorStorePGVector', 'VECTOR_STORE_PG_VECTOR'],
    ['readPDF', 'READ_PDF'],
    ['awsS3', 'AWS_S3'],
    ['e2eTest', 'E2E_TEST'],
    ['@scope/n8n-nodes-x', 'SCOPE_N8N_NODES_X'],
  ])('spells %s as %s', (name, spelt) => expect(screaming(name)).toBe(spelt));
});
