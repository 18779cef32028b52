import { describe, expect, test } from 'vitest';
import { effectOf } from '../../kernel/effect.ts';
import { hintsOf, listedHints } from './tool-hints.ts';

const of = (type: string, parameters = {}) => hintsOf({ name: 'My tool', type, parameters });

describe('hints of an AI tool', () => {
  test.each([
    ['@n8n/n8n-nodes-langchain.toolCalculator', {}, 'read', false],
    ['@n8n/n8n-nodes-langchain.toolWikipedia', {}, 'read', true],
    ['@n8n/n8n-nodes-langchain.vectorStoreQdrant', { mode: 'retrieve-as-tool' }, 'read', true],
    ['n8n-nodes-base.httpRequestTool', {}, 'read', true],
    ['n8n-nodes-base.httpRequestTool', { method: 'POST' }, 'execute', true],
    ['n8n-nodes-base.httpRequestTool', { method: '={{ $fromAI("method") }}' }, 'execute', true],
    ['n8n-nodes-base.gmailTool', { operation: 'getAll' }, 'read', true],
    ['n8n-nodes-base.gmailTool', { operation: 'send' }, 'create', true],
    ['n8n-nodes-base.gmailTool', { operation: 'getaway' }, 'execute', true],
    ['n8n-nodes-base.postgresTool', { operation: 'executeQuery' }, 'execute', true],
    // n8n does not store a default value, so the operation is unknown.
    ['n8n-nodes-base.gmailTool', {}, 'execute', true],
    ['@n8n/n8n-nodes-langchain.toolCode', {}, 'execute', true],
    ['@n8n/n8n-nodes-langchain.toolWorkflow', {}, 'execute', true],
  ])('%s with %j: %s', (type, parameters, effect, openWorldHint) => {
    const { title, annotations } = of(type, parameters);
    expect(title).toBe('My tool');
    expect({ effect: effectOf(annotations), openWorldHint: annotations.openWorldHint }).toEqual({
      effect,
      openWorldHint,
    });
  });

  test('a deleting operation is destructive', () => {
    expect(of('n8n-nodes-base.gmailTool', { operation: 'delete' }).annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
  });

  test('the only tool that chooses its own name is matched', () => {
    const hints = of('@n8n/n8n-nodes-langchain.toolWikipedia');
    const tool = (name: string) => ({ key: name, name, fingerprint: '', hints });
    expect(listedHints({ listed: ['a', 'wikipedia-api'], tools: [tool('a'), tool('Wiki')] })).toEqual([
      ['a', hints],
      ['wikipedia-api', hints],
    ]);
    expect(listedHints({ listed: ['x', 'y'], tools: [tool('Server')] })).toEqual([]);
  });
});
