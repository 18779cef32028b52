import { expect, test } from 'vitest';
import { modelReply } from './replies.ts';
import { requestFor } from './request.ts';

const model = (more: object = {}) =>
  modelReply.parse({
    id: 'acme/small',
    architecture: { input_modalities: ['text'], output_modalities: ['text'] },
    pricing: { prompt: '0.000001', completion: '0.000002' },
    top_provider: {},
    supported_parameters: ['max_tokens', 'temperature'],
    ...more,
  });
const wanted = { messages: [{ role: 'user', content: 'Hi' }], maxTokens: 100 } as const;

test('a request holds OpenRouter to the price and the length', () => {
  const { body, most } = requestFor(model(), { ...wanted, temperature: 0 });
  expect(body).toEqual({
    model: 'acme/small',
    messages: wanted.messages,
    stream: true,
    max_tokens: 100,
    temperature: 0,
    provider: { require_parameters: true, max_price: { prompt: '1', completion: '2', request: '0' } },
    plugins: [{ id: 'web', enabled: false }],
  });
  expect(most).toBeCloseTo(1.05 * (0.000001 * (1024 + 32 + 2) + 0.000002 * 100), 12);
});

test('newer models have another name for the length', () => {
  const { body } = requestFor(model({ supported_parameters: ['max_completion_tokens'] }), wanted);
  expect(body).toMatchObject({ max_completion_tokens: 100 });
  expect(body).not.toHaveProperty('max_tokens');
});

test('an answer can have a schema, and a model think', () => {
  const { body } = requestFor(model(), { ...wanted, schema: { type: 'object' }, reasoning: 'low' });
  expect(body).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { strict: true, schema: { type: 'object' } } },
    reasoning: { effort: 'low', exclude: true },
  });
});

test.each([
  [{ pricing: { prompt: '-1', completion: '-1' } }, 'has no fixed price'],
  [{ pricing: {} }, 'has no fixed price'],
  [{ supported_parameters: ['temperature'] }, 'does not let the length'],
  [{ architecture: { input_modalities: ['text'], output_modalities: ['text', 'image'] } }, 'more than text'],
  [{ id: 'perplexity/sonar-pro' }, 'searches the web'],
  [{ id: 'openai/gpt-4o-search-preview' }, 'searches the web'],
  [{ id: 'openai/o3-deep-research' }, 'searches the web'],
  [{ id: 'acme/small:online' }, 'searches the web'],
])('%j is refused', (more, why) => {
  expect(() => requestFor(model(more), wanted)).toThrow(why);
});
