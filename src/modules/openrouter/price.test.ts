import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { costOf, maxPrice, mostCost, perMillion, pricesOf } from './price.ts';

const prices = (pricing: Record<string, unknown>, tokens = 0) => pricesOf(pricing, tokens);

describe('prices', () => {
  it('are the dearest that a token can cost', () => {
    expect(
      prices({
        prompt: '0.000003',
        completion: '0.000015',
        internal_reasoning: '0.00002',
        input_cache_read: '0.0000003',
        input_cache_write: '0.00000375',
        input_cache_write_1h: '0.000006',
        request: '0.01',
      }),
    ).toEqual({
      input: 0.000006,
      output: 0.00002,
      request: 0.01,
      listed: { prompt: 0.000003, completion: 0.000015 },
    });
  });

  it('leave out what a chat with text never uses', () => {
    const used = prices({ prompt: '1', completion: '2', image: '9', web_search: '9', audio: '9', discount: 0.5 });
    expect(used).toMatchObject({ input: 1, output: 2, request: 0 });
  });

  it('count a price with a name that nobody knows for everything', () => {
    expect(prices({ prompt: '1', completion: '2', per_thought: '10' })).toMatchObject({
      input: 11,
      output: 12,
      request: 10,
    });
  });

  it('are higher for long inputs, and at any time of the day', () => {
    const pricing = {
      prompt: '1',
      completion: '2',
      overrides: [
        { min_prompt_tokens: 200_000, prompt: '5', completion: '6' },
        { utc_start: 100, utc_end: 400, prompt: '3' },
        { utc_start: 400, utc_end: 100, prompt: '0.5' },
      ],
    };
    expect(prices(pricing, 200_000)).toMatchObject({ input: 3, output: 2, listed: { prompt: 3, completion: 2 } });
    expect(prices(pricing, 200_001)).toMatchObject({ input: 5, output: 6 });
  });

  test.each([
    [{}],
    [{ prompt: '1' }],
    [{ completion: '1' }],
    [{ prompt: '-1', completion: '-1' }],
    [{ prompt: '1', completion: 'NaN' }],
    [{ prompt: '', completion: '1' }],
    [{ prompt: '1', completion: '1', request: 'Infinity' }],
    [{ prompt: '1', completion: '1', request: {} }],
    [{ prompt: '1', completion: '1', surprise: '-1' }],
    [{ prompt: '1', completion: '1', surprise: 'soon' }],
    [{ prompt: '1', completion: '1', overrides: [{ prompt: '-1' }] }],
  ])('are not known for %j', (pricing) => {
    expect(prices(pricing)).toBeUndefined();
  });

  it('are never guessed from a prototype', () => {
    expect(prices(Object.create({ prompt: '0', completion: '0' }) as Record<string, unknown>)).toBeUndefined();
  });
});

const some = { input: 2, output: 10, request: 1, listed: { prompt: 2, completion: 10 } };

describe('cost', () => {
  it('is what OpenRouter reports', () => {
    expect(costOf({ cost: 0.5, prompt_tokens: 1, completion_tokens: 1 }, some)).toEqual({
      dollars: 0.5,
      source: 'reported',
    });
  });

  it('has what a provider gets that is paid with a key of its own', () => {
    const usage = { cost: 0.5, is_byok: true, cost_details: { upstream_inference_cost: 10 } };
    expect(costOf(usage, some)).toEqual({ dollars: 10.5, source: 'reported' });
    expect(costOf({ ...usage, is_byok: false }, some)).toEqual({ dollars: 0.5, source: 'reported' });
  });

  it('is computed from tokens if it is not reported', () => {
    const computed = { dollars: mostCost(some, { input: 3, output: 4 }), source: 'computed' };
    for (const cost of [undefined, Number.NaN, -1, Number.POSITIVE_INFINITY])
      expect(costOf({ cost, prompt_tokens: 3, completion_tokens: 4 }, some)).toEqual(computed);
  });

  it('is unknown without either', () => {
    expect(costOf(undefined, some)).toBeUndefined();
    expect(costOf({}, some)).toBeUndefined();
    expect(costOf({ prompt_tokens: 3 }, some)).toBeUndefined();
    expect(costOf({ prompt_tokens: -3, completion_tokens: 1 }, some)).toBeUndefined();
  });
});

test('the highest price of a provider never rules out the listed one, and allows hardly more', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (price) => {
      const { prompt } = maxPrice({ ...some, listed: { prompt: price, completion: 0 } });
      expect(prompt).toMatch(/^\d+(\.\d+)?$/);
      expect(Number(prompt)).toBeGreaterThanOrEqual(price * 1e6 * (1 - 1e-9) - 1e-9);
      expect(Number(prompt)).toBeLessThanOrEqual(price * 1e6 * (1 + 1e-9) + 2e-9);
    }),
  );
  expect(maxPrice({ ...some, listed: { prompt: 0.000003, completion: 0.0000004 }, request: 0 })).toEqual({
    prompt: '3',
    completion: '0.4',
    request: '0',
  });
});

test('prices for a million tokens have no noise', () => {
  expect(perMillion(0.0000001)).toBe(0.1);
  expect(perMillion(0.00000375)).toBe(3.75);
});
