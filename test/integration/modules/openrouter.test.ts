import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Budget } from '../../../src/modules/budget.ts';
import { connectOpenRouter } from '../../../src/modules/openrouter/connection.ts';
import openrouter from '../../../src/modules/openrouter/module.ts';
import type { Message } from '../../../src/modules/openrouter/most-tokens.ts';
import { paidChat } from '../../../src/modules/openrouter/paid-chat.ts';
import { requestFor } from '../../../src/modules/openrouter/request.ts';
import type { openrouterSettings } from '../../../src/modules/openrouter/settings.ts';
import type { SettingsOf } from '../../../src/modules/module.ts';
import { parsed } from '../../../src/modules/parsed.ts';
import { freePort } from '../../support/free-port.ts';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import {
  failure,
  type FakeOpenRouter,
  fakeOpenRouter,
  KEY,
  MANAGEMENT_KEY,
  model,
  real,
} from '../../support/openrouter.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { startReplicas } from '../../support/two-replicas.ts';
import { callTool, connectV2, type Json, textOf } from '../harness.ts';

interface Chat {
  id: string;
  model: string;
  text: string;
  next_offset?: number;
  finish_reason: string;
  warning?: string;
  cost: number;
  cost_source: string;
  budget: { spent: number; left: number; until: string };
}

/** What holds for OpenRouter itself, too. */
describe('openrouter', () => {
  const stack = new AsyncDisposableStack();
  let client: ModuleClient;
  const name = real?.model ?? 'acme/small';
  beforeAll(async () => {
    const url = real?.url ?? stack.use(await fakeOpenRouter()).url;
    client = stack.use(await moduleClient({ openrouter: { url, apiKey: real?.apiKey ?? KEY, budget: 0.05 } }));
  });
  afterAll(() => stack.disposeAsync());

  const read = <T = Json>(tool: string, params: Json = {}) => client.read<T>('openrouter', tool, params);
  const refused = (tool: string, params: Json = {}) => client.refused('openrouter', tool, params);

  it('lists its tools, and chat though it is read-only', async () => {
    expect(await client.listed()).toEqual(['openrouter_list', 'openrouter_call', 'openrouter_read']);
    const lines = await client.list('openrouter');
    for (const tool of ['chat', 'list_models', 'get_model', 'compare_models', 'get_usage', 'list_providers'])
      expect(lines).toContain(`openrouter_${tool}`);
    expect(await client.list('openrouter', { query: 'what is left of the budget' })).toContain('openrouter_get_usage');
  });

  it('chats, and says what it cost and what is left', async () => {
    const said = await client.call<Chat>('openrouter', 'chat', {
      model: name,
      system: 'Answer in a few words.',
      prompt: 'What is six times seven?',
      max_tokens: 50,
    });
    expect(said).toMatchObject({ text: expect.stringContaining('42') as string, cost_source: 'reported' });
    expect(said.cost).toBeGreaterThan(0);
    expect(said.budget.spent).toBeGreaterThanOrEqual(said.cost - 1e-9);
    expect(said.budget.spent).toBeLessThan(said.cost + 1e-5);
    expect(said.budget.until).toMatch(/T00:00Z$/);
    await expect
      .poll(async () => await read('get_generation', { id: said.id }).catch(String), { timeout: 20_000, interval: 500 })
      .toMatchObject({ cost: said.cost });
  });

  it('finds models, with their prices', async () => {
    const { total, models } = await read<{ total: number; models: { id: string }[] }>('list_models');
    expect(total).toBeGreaterThanOrEqual(models.length);
    expect(await read('get_model', { model: name })).toMatchObject({
      id: name,
      price: { input: expect.any(Number) as number, output: expect.any(Number) as number },
      parameters: expect.arrayContaining(['max_tokens']) as unknown,
    });
    const [author = ''] = name.split('/');
    const { models: some } = await read<{ models: { id: string }[] }>('list_models', { search: author, sort: 'id' });
    expect(some.map(({ id }) => id)).toEqual(some.map(({ id }) => id).toSorted());
  });

  it('shows what the key has used, and providers', async () => {
    expect(await read('get_usage')).toMatchObject({
      budget: { left: expect.any(Number) as number },
      key: { used: expect.any(Number) as number },
    });
    expect(await read('list_providers')).toMatchObject({ total: expect.any(Number) as number });
  });

  it('is checked without spending anything', async () => {
    const checks = await Array.fromAsync(client.gateway.runtime.check(AbortSignal.timeout(20_000)));
    expect(checks.find(({ check }) => check === 'openrouter')).toMatchObject({
      result: 'ok',
      detail: expect.stringMatching(/^OpenRouter, \d+ models, at most \$0\.05 a day$/) as string,
    });
  });

  it('says which key credits need', async () => {
    expect(await refused('get_credits')).toContain('management key');
  });

  it('refuses what it cannot price or find', async () => {
    expect(await refused('chat', { model: 'openrouter/auto', prompt: 'Hi' })).toContain('has no fixed price');
    expect(await refused('chat', { model: `${name}:nitro`, prompt: 'Hi' })).toContain(`use ${name}.`);
  });
});

describe.skipIf(real)('openrouter, with faults', () => {
  const stack = new AsyncDisposableStack();
  let fake: FakeOpenRouter;
  let client: ModuleClient;
  beforeAll(async () => {
    fake = stack.use(await fakeOpenRouter());
    client = stack.use(
      await moduleClient({
        openrouter: {
          url: fake.url,
          apiKey: KEY,
          budget: { amount: 100, per: 'month' },
          model: 'acme/small',
          maxTokens: 20_000,
          title: 'Suite',
        },
        'openrouter-account': { type: 'openrouter', url: fake.url, apiKey: MANAGEMENT_KEY },
        'openrouter-limited': { type: 'openrouter', url: fake.url, apiKey: KEY, models: ['acme/*'], maxTokens: 100 },
        'openrouter-wrong': { type: 'openrouter', url: fake.url, apiKey: 'sk-or-v1-wrong-secret' },
      }),
    );
  });
  afterAll(() => stack.disposeAsync());

  const read = <T = Json>(tool: string, params: Json = {}) => client.read<T>('openrouter', tool, params);
  const chat = (params: Json = {}) => client.call<Chat>('openrouter', 'chat', { prompt: 'Hi', ...params });
  const refused = (tool: string, params: Json = {}) => client.refused('openrouter', tool, params);
  const spent = async () => (await read<{ budget: { spent: number } }>('get_usage')).budget.spent;

  /** What a chat that fails so adds to the spending. */
  async function after(work: () => Promise<unknown>): Promise<number> {
    const before = await spent();
    await work();
    return (await spent()) - before;
  }

  describe('chat', () => {
    it('sends a conversation as it is, held to price and length', async () => {
      const messages = [
        { role: 'user', content: 'One?' },
        { role: 'assistant', content: 'Two.' },
        { role: 'user', content: 'Three?' },
      ];
      const schema = { type: 'object', properties: { answer: { type: 'integer' } } };
      const { text, finish_reason: finish } = await chat({
        prompt: undefined,
        messages,
        system: 'Count.',
        temperature: 0.5,
        max_tokens: 16,
        json_schema: schema,
      });
      expect([text, finish]).toEqual(['It is 42.', 'stop']);
      expect(fake.chats.at(-1)).toMatchObject({
        model: 'acme/small',
        messages: [{ role: 'system', content: 'Count.' }, ...messages],
        max_tokens: 16,
        provider: { require_parameters: true, max_price: { prompt: '0.1', completion: '0.4' } },
        response_format: { json_schema: { schema } },
        plugins: [{ id: 'web', enabled: false }],
      });
      expect(fake.headers.at(-2)).toMatchObject({ 'x-title': 'Suite' });
    });

    it('cuts an answer at the limit, and says so', async () => {
      fake.answer = () => ({ text: 'x'.repeat(100) });
      expect(await chat({ max_tokens: 20 })).toMatchObject({ text: 'x'.repeat(20), finish_reason: 'length' });
      fake.answer = () => ({ text: 'never seen', reasoning: 500 });
      expect(await chat({ max_tokens: 100 })).toMatchObject({
        text: '',
        warning: expect.stringContaining('raise max_tokens') as string,
        tokens: { reasoning: 100 },
      });
    });

    it('keeps a long answer, for whoever asked', async () => {
      const long = Array.from({ length: 1000 }, (_, line) => `${line}: "ä😀"`).join('\n');
      fake.answer = () => ({ text: long });
      const first = await chat();
      let whole = first.text;
      for (let offset = first.next_offset; offset !== undefined; ) {
        const part = await read<{ text: string; next_offset?: number }>('get_answer', { id: first.id, offset });
        whole += part.text;
        offset = part.next_offset;
      }
      expect(whole).toBe(long);
      expect(await refused('get_answer', { id: 'gen-none' })).toContain('There is no answer gen-none here');
      expect(await refused('get_answer', { id: first.id, offset: 1e6 })).toContain('the answer has');
      expect(await client.refused('openrouter-limited', 'get_answer', { id: first.id })).toContain('no answer');
      expect(fake.chats.length).toBe(new Set(fake.chats).size);
    });

    it('reports progress, and stops the model when it is cancelled', async () => {
      const { promise: until, resolve: release } = Promise.withResolvers<void>();
      fake.answer = () => ({ text: 'y'.repeat(3000), until });
      const told: { progress: number; message?: string }[] = [];
      const stop = new AbortController();
      await using caller = await connectV2(client.gateway, { era: 'modern' });
      const before = [fake.cancelled(), await spent()] as const;
      const asked = callTool(
        caller,
        'openrouter_call',
        { tool: 'chat', params: { prompt: 'Hi', max_tokens: 5000 } },
        { signal: stop.signal, onprogress: (one) => void told.push(one) },
      );
      asked.catch(() => {});
      await expect.poll(() => told.map(({ message }) => message)).toContain('1000 characters so far.');
      stop.abort();
      await expect(asked).rejects.toThrow(/abort/i);
      await expect.poll(() => fake.cancelled()).toBe(before[0] + 1);
      release();
      expect(told.map(({ progress }) => progress)).toEqual(
        told.map(({ progress }) => progress).toSorted((a, b) => a - b),
      );
      // Nobody knows what was spent, so that what was set aside counts.
      expect((await spent()) - before[1]).toBeCloseTo(1.05 * (1e-7 * (1024 + 32 + 2) + 4e-7 * 5000), 5);
    });

    test.each([
      [{}, /either prompt .* or messages/],
      [{ prompt: 'Hi', messages: [{ role: 'user', content: 'Hi' }] }, /either prompt .* or messages/],
      [{ prompt: '' }, /prompt/],
      [{ prompt: 'Hi', max_tokens: 1 }, /max_tokens/],
      [{ prompt: 'Hi', max_tokens: 20_001 }, /modules\.openrouter\.maxTokens allows \(20000\)/],
      [{ prompt: 'Hi', temperature: 3 }, /temperature/],
      [{ prompt: 'Hi', model: 'ä\n' }, /model/],
      [{ prompt: 'Hi', models: ['a', 'b'] }, /models/],
      [{ prompt: 'Hi', plugins: [{ id: 'web' }] }, /plugins/],
      [{ prompt: 'Hi', model: 'acme/smal' }, /Did you mean acme\/small/],
      [{ prompt: 'Hi', model: '../../key' }, /lists no model/],
      [{ prompt: 'Hi', model: '@preset/dear' }, /lists no model/],
      [{ prompt: 'Hi', model: 'acme/small:online' }, /lists no model/],
      [{ prompt: 'Hi', model: '__proto__' }, /lists no model/],
      [{ prompt: 'Hi', model: 'openrouter/auto' }, /has no fixed price/],
      [{ prompt: 'Hi', model: 'acme/pictures' }, /more than text/],
      [{ prompt: 'Hi', model: 'perplexity/sonar' }, /searches the web/],
      [{ prompt: 'Hi', model: 'other/endless' }, /does not let the length/],
      [{ prompt: 'Hi', model: 'acme/free:free', temperature: 1 }, /does not have it.*support temperature/],
    ])('refuses %j, and spends nothing', async (params, message) => {
      const before = fake.charged();
      expect(await after(async () => expect(await refused('chat', params)).toMatch(message))).toBe(0);
      expect(fake.charged()).toBe(before);
    });

    it('needs a model from somewhere', async () => {
      expect(await client.refused('openrouter-limited', 'chat', { prompt: 'Hi' })).toMatch(
        /openrouter-limited_list_models .*modules\.openrouter-limited\.model/,
      );
    });

    it('can use what newer models call the length, and what is free', async () => {
      fake.answer = () => ({});
      expect(await chat({ model: 'other/newer' })).toMatchObject({ text: 'It is 42.' });
      expect(fake.chats.at(-1)).toMatchObject({ max_completion_tokens: 16_384 });
      expect(await after(() => chat({ model: 'acme/free:free' }))).toBe(0);
    });
  });

  describe('allow-lists', () => {
    const refusedThere = (tool: string, params: Json) => client.refused('openrouter-limited', tool, params);

    it('hold for chats, models and lists', async () => {
      const words = /other\/newer is out of reach: modules\.openrouter-limited\.models in sluice\.yaml allows acme\/\*/;
      expect(await refusedThere('chat', { model: 'other/newer', prompt: 'Hi' })).toMatch(words);
      expect(await refusedThere('get_model', { model: 'other/newer' })).toMatch(words);
      const { models } = await client.read<{ models: { id: string }[] }>('openrouter-limited', 'list_models');
      expect(models.map(({ id }) => id.split('/')[0])).toEqual(models.map(() => 'acme'));
      expect(
        await client.read('openrouter-limited', 'compare_models', { models: ['other/newer', 'acme/small'] }),
      ).toMatchObject({
        models: [{ model: 'acme/small' }, { problem: expect.stringContaining('out of reach') as string }],
      });
      expect(await refusedThere('chat', { model: 'acme/small', prompt: 'Hi', max_tokens: 101 })).toContain(
        'modules.openrouter-limited.maxTokens',
      );
    });
  });

  describe('models', () => {
    const ids = async (params: Json) =>
      (await read<{ models: { id: string }[] }>('list_models', params)).models.map(({ id }) => id);

    it('are found by price, context, words and what they read', async () => {
      expect(await ids({ max_price: 0 })).toEqual(['acme/free:free']);
      expect(await ids({ search: 'ACME large' })).toEqual(['acme/large']);
      expect(await ids({ context: 500_000 })).toEqual(['acme/large']);
      expect(await ids({ reads: 'image' })).toEqual(['acme/large']);
      expect(await ids({ sort: 'newest', supports: 'temperature' })).toMatchObject({ 0: 'acme/large' });
      expect(await ids({ max_output_price: 0.4 })).toEqual(['acme/free:free', 'acme/small']);
      expect((await ids({})).at(-1)).toBe('openrouter/auto');
    });

    it('come page by page', async () => {
      await using many = await fakeOpenRouter();
      many.models = Array.from({ length: 400 }, (_, n) => model(`acme/m${n}`, { prompt: '0.1', completion: '0.1' }));
      await using other = await moduleClient({ openrouter: { url: many.url, apiKey: KEY } });
      const seen = new Set<string>();
      let cursor: string | undefined;
      do {
        const page = await other.read<{ models: { id: string }[]; cursor?: string }>('openrouter', 'list_models', {
          search: 'acme',
          ...(cursor !== undefined && { cursor }),
        });
        for (const { id } of page.models) seen.add(id);
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(seen.size).toBe(400);
      expect(many.seen.filter((one) => one === 'GET /models')).toHaveLength(1);
    });

    it('are compared without spending', async () => {
      expect(
        await read('compare_models', {
          models: ['acme/large', 'acme/small', 'openrouter/auto', 'no/such'],
          input_tokens: 1_000_000,
          output_tokens: 100_000,
        }),
      ).toMatchObject({
        models: [
          { model: 'acme/small', cost: 0.14, price: { input: 0.1, output: 0.4 } },
          { model: 'acme/large', cost: 4.5 },
          { model: 'openrouter/auto', problem: expect.stringContaining('not known') as string },
          { model: 'no/such', problem: expect.stringContaining('lists no model') as string },
        ],
      });
    });

    it('have details and providers', async () => {
      expect(await read('get_model', { model: 'acme/large' })).toMatchObject({
        price: { input: 3, output: 15 },
        prices: { input_cache_write: 3.75 },
        reads: 'image',
        providers: [
          { provider: 'acme', uptime: 99.9, latency_ms: 321 },
          { provider: 'beta', max_output: 8192, quantization: 'fp8' },
          { provider: 'gamma' },
        ],
      });
      expect(await read('get_model', { model: 'openrouter/auto' })).toMatchObject({
        chat: expect.stringContaining('no fixed price') as string,
      });
    });
  });

  it('shows credits for a management key', async () => {
    expect(await client.read('openrouter-account', 'get_credits')).toEqual({ bought: 100.5, used: 25.75, left: 74.75 });
  });

  it('pages through providers, and finds them by country', async () => {
    const { total, providers } = await read<{ total: number; providers: Json[] }>('list_providers', { country: 'de' });
    expect(total).toBe(35);
    expect(providers[0]).toMatchObject({ slug: 'provider-0', headquarters: 'DE' });
    expect(await refused('list_providers', { cursor: 'x' })).toContain('cursor');
  });

  describe('failures', () => {
    const usual = 1.05 * (1e-7 * (1024 + 32 + 2) + 4e-7 * 16_384);

    test.each([
      [400, { message: 'Bad parameter' }, /refuses the request: Bad parameter\./],
      [402, { message: 'Insufficient credits' }, /too few credits.*settings\/credits/],
      [
        403,
        { message: 'flagged', metadata: { reasons: ['violence'], flagged_input: 'Hi', provider_name: 'OpenAI' } },
        /moderation of OpenAI flagged the input because of "Hi" \(violence\)/,
      ],
      [502, { message: 'Provider returned error' }, /provider of the model is down.*another model/],
      [503, { message: 'No instances available' }, /No provider can take the request/],
    ])('HTTP %i costs nothing', async (code, { message, ...more }, words) => {
      fake.fail('/chat', (_, response) => failure(response, code, message, more));
      let said = '';
      const cost = await after(async () => {
        said = await refused('chat', { prompt: 'Hi' });
      });
      expect(said).toMatch(words);
      expect(said).not.toContain('may or may not have taken effect');
      expect(cost).toBe(0);
    });

    it('a wrong key is named, but not shown', async () => {
      const said = await client.refused('openrouter-wrong', 'chat', { model: 'acme/small', prompt: 'Hi' });
      expect(said).toMatch(/refuses the key \(HTTP 401\).*modules\.openrouter-wrong\.apiKey/);
      const usage = await client.refused('openrouter-wrong', 'get_usage');
      expect(usage).toContain('modules.openrouter-wrong.apiKey');
      expect(said + usage + JSON.stringify(client.health('openrouter-wrong'))).not.toContain('wrong-secret');
    });

    it('waits if requests are limited for a moment, else says when', async () => {
      const limited = (seconds: string) => (_: unknown, response: Parameters<typeof failure>[0]) =>
        failure(response, 429, 'Rate limit exceeded', {}, { 'retry-after': seconds });
      fake.answer = () => ({});
      fake.fail('/chat', limited('0'), limited('0'));
      expect(await chat()).toMatchObject({ text: 'It is 42.' });
      fake.fail('/chat', limited('3600'));
      expect(
        await after(async () => expect(await refused('chat', { prompt: 'Hi' })).toMatch(/Try again in 3600 s \(after/)),
      ).toBe(0);
      fake.fail('/providers', limited('0'));
      expect(await read('list_providers')).toMatchObject({ total: 70 });
    });

    it('does not send a chat again that a proxy may have lost after the model answered', async () => {
      fake.answer = () => ({});
      fake.fail('/chat', (_, response) => {
        response.writeHead(503, { 'content-type': 'text/html', 'retry-after': '0' });
        response.end('<h1>Service Unavailable</h1>');
      });
      expect(
        await after(async () => expect(await refused('chat', { prompt: 'Hi' })).toContain('stay spent in the budget')),
      ).toBeCloseTo(usual, 5);
    });

    it('a time-out or an unknown failure keeps what was set aside', async () => {
      for (const code of [408, 500]) {
        fake.fail('/chat', (_, response) => failure(response, code, 'Oops'));
        expect(
          await after(async () =>
            expect(await refused('chat', { prompt: 'Hi' })).toContain('stay spent in the budget'),
          ),
        ).toBeCloseTo(usual, 5);
      }
    });

    it('an error inside the stream before any text costs nothing', async () => {
      fake.answer = () => ({ text: '', ends: 'error', code: 429 });
      expect(
        await after(async () => expect(await refused('chat', { prompt: 'Hi' })).toContain('Provider disconnected')),
      ).toBe(0);
    });

    test.each(['error', 'early'] as const)('what has arrived before an end by %s is returned', async (ends) => {
      fake.answer = () => ({ text: 'half of it', ends });
      let said: Chat | undefined;
      const cost = await after(async () => {
        said = await chat();
      });
      expect(said).toMatchObject({
        text: 'half of it',
        cost_source: 'at most',
        warning: expect.stringContaining('The answer is not whole') as string,
      });
      expect(cost).toBeCloseTo(usual, 5);
    });

    it('what a server counts on the way is not what the chat did cost', async () => {
      fake.fail('/chat', (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const usage = { prompt_tokens: 5, completion_tokens: 1, cost: 0.000_001 };
        response.write(
          `data: ${JSON.stringify({ id: 'gen-1', choices: [{ delta: { content: 'half' } }], usage })}\n\n`,
        );
        response.end();
      });
      const cost = await after(async () =>
        expect(await chat()).toMatchObject({ text: 'half', cost_source: 'at most' }),
      );
      expect(cost).toBeCloseTo(usual, 5);
    });

    it('what has arrived before the connection breaks is returned', async () => {
      const { promise: until, resolve: release } = Promise.withResolvers<void>();
      fake.answer = () => ({ text: 'half of it', ends: 'cut', until });
      await using caller = await connectV2(client.gateway, { era: 'modern' });
      const { structuredContent: said } = await callTool(
        caller,
        'openrouter_call',
        { tool: 'chat', params: { prompt: 'Hi' } },
        { onprogress: ({ message }) => void (message?.includes('characters') && release()) },
      );
      expect(said).toMatchObject({
        text: expect.stringMatching(/^half/) as string,
        cost_source: 'at most',
        warning: expect.stringContaining('broke the connection') as string,
      });
    });

    it('a connection that breaks before any text keeps what was set aside', async () => {
      fake.answer = () => ({ text: '', ends: 'cut' });
      expect(
        await after(async () => expect(await refused('chat', { prompt: 'Hi' })).toContain('stay spent in the budget')),
      ).toBeCloseTo(usual, 5);
    });

    it('without usage, what was set aside is the cost; without a cost, the tokens are', async () => {
      fake.answer = () => ({ ends: 'no usage' });
      expect(await chat()).toMatchObject({ text: 'It is 42.', cost_source: 'at most' });
      fake.answer = () => ({ usage: { cost: null } });
      expect(await chat()).toMatchObject({ text: 'It is 42.', cost_source: 'computed' });
    });

    it('garbage, pages and huge answers are refused', async () => {
      const refusedAlways = async (fault: Parameters<FakeOpenRouter['fail']>[1]) => {
        // A read is repeated once.
        fake.fail('/providers', fault, fault);
        const said = await refused('list_providers');
        fake.fail('/providers');
        return said;
      };
      const page = (_: unknown, response: Parameters<typeof failure>[0]) => response.end('<html>Log in</html>');
      const login = (_: unknown, response: Parameters<typeof failure>[0]) =>
        response.writeHead(302, { location: 'https://login.example' }).end();
      const huge = (_: unknown, response: Parameters<typeof failure>[0]) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const piece = Buffer.alloc(1024 * 1024, 'x');
        let left = 50;
        const more = () => {
          while (left-- > 0 && !response.destroyed)
            if (!response.write(piece)) return void response.once('drain', more);
          response.end();
        };
        more();
      };
      expect(await refusedAlways(page)).toContain('something else than its API documents');
      expect(await refusedAlways(login)).toMatch(/redirects .*modules\.openrouter\.url/);
      expect(await refusedAlways(huge)).toContain('more than 16384 KB');
      fake.fail('/chat', page);
      expect(await refused('chat', { prompt: 'Hi' })).toContain('not what OpenRouter documents');
      fake.fail('/chat', huge);
      expect(await refused('chat', { prompt: 'Hi' })).toContain('more than 16 MB');
      fake.answer = () => ({});
      expect(await chat()).toMatchObject({ text: 'It is 42.' });
    });

    it('prices that rose since are refused by OpenRouter, not paid', async () => {
      await using other = await fakeOpenRouter();
      await using caller = await moduleClient({ openrouter: { url: other.url, apiKey: KEY } });
      await caller.call('openrouter', 'chat', { model: 'acme/small', prompt: 'Hi' });
      const before = other.charged();
      other.models = [model('acme/small', { prompt: '0.0000002', completion: '0.0000004' })];
      expect(await caller.refused('openrouter', 'chat', { model: 'acme/small', prompt: 'Hi' })).toContain(
        'at its listed price',
      );
      expect(other.charged()).toBe(before);
      // The next chat knows the new price.
      await caller.call('openrouter', 'chat', { model: 'acme/small', prompt: 'Hi' });
      expect(other.charged()).toBeGreaterThan(before);
    });

    it('a chat that takes too long returns what has arrived', async () => {
      await using slow = await fakeOpenRouter();
      slow.answer = () => ({ text: 'z'.repeat(300), until: new Promise(() => {}) });
      await using caller = await moduleClient({ openrouter: { url: slow.url, apiKey: KEY, timeout: '1s' } });
      expect(await caller.call('openrouter', 'chat', { model: 'acme/small', prompt: 'Hi' })).toMatchObject({
        text: 'z'.repeat(100),
        warning: expect.stringContaining('took longer than 1 s') as string,
      });
      await expect.poll(() => slow.cancelled()).toBe(1);
      slow.answer = () => ({ text: '', until: new Promise(() => {}) });
      expect(await caller.refused('openrouter', 'chat', { model: 'acme/small', prompt: 'Hi' })).toMatch(
        /took longer than 1 s.*modules\.openrouter\.timeout.*stay spent/,
      );
    });
  });

  it('says that a service is away, and works when it is back', async () => {
    const port = await freePort();
    await using caller = await moduleClient({ openrouter: { url: `http://127.0.0.1:${port}`, apiKey: KEY } });
    const params = { model: 'acme/small', prompt: 'Hi' };
    expect(await caller.refused('openrouter', 'chat', params)).toContain(
      `openrouter at 127.0.0.1:${port} is not running`,
    );
    expect(caller.health('openrouter')).toMatchObject({ state: 'failing' });
  });
});

describe.skipIf(real)('the budget', () => {
  /** Each chat may cost a little less than a third of the budget, and does cost almost as much. */
  const dear = model('acme/dear', { prompt: '0', completion: '0.003', request: '0' });
  const params = { model: 'acme/dear', prompt: 'Hi', max_tokens: 100 };
  const cap = 3 * 1.05 * 0.3 + 0.001;

  async function dearFake(): Promise<FakeOpenRouter> {
    const fake = await fakeOpenRouter();
    fake.models = [dear];
    fake.answer = () => ({ text: 'x'.repeat(100) });
    return fake;
  }

  it('lets exactly as many of a burst through as it can pay for', async () => {
    await using fake = await dearFake();
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    fake.answer = () => ({ text: 'x'.repeat(100), until });
    await using client = await moduleClient({
      openrouter: { url: fake.url, apiKey: KEY, budget: cap, concurrency: 20 },
    });
    let refusals = 0;
    const burst = Array.from({ length: 20 }, () =>
      client.call<Chat>('openrouter', 'chat', params).catch((error: unknown) => {
        refusals += 1;
        return error as Error;
      }),
    );
    await expect.poll(() => refusals).toBe(17);
    release();
    const each = await Promise.all(burst);
    expect(each.filter((one) => !(one instanceof Error))).toHaveLength(3);
    for (const one of each)
      if (one instanceof Error)
        expect(one.message).toMatch(
          /may cost \$0\.315, and \$0\.001 of \$0\.946 a day is left.*modules\.openrouter\.budget/,
        );
    expect(fake.chats).toHaveLength(3);
    expect(fake.charged()).toBeLessThanOrEqual(cap);
  });

  it('lets no more than `concurrency` chats run at a time', async () => {
    await using fake = await dearFake();
    await using client = await moduleClient({
      openrouter: { url: fake.url, apiKey: KEY, budget: 100, concurrency: 2 },
    });
    await Promise.all(Array.from({ length: 8 }, () => client.call('openrouter', 'chat', params)));
    expect(fake.chats).toHaveLength(8);
    expect(fake.busiest()).toBeLessThanOrEqual(2);
  });

  it('gives back what a chat did not need', async () => {
    await using fake = await dearFake();
    fake.answer = () => ({ text: 'short' });
    await using client = await moduleClient({ openrouter: { url: fake.url, apiKey: KEY, budget: 0.4 } });
    for (let turn = 0; turn < 5; turn += 1) await client.call('openrouter', 'chat', params);
    expect(await client.read('openrouter', 'get_usage')).toMatchObject({ budget: { spent: 0.075, left: 0.325 } });
    expect(fake.charged()).toBeCloseTo(0.075, 9);
  });

  it('outlives a restart', async () => {
    await using fake = await dearFake();
    const modules = { openrouter: { url: fake.url, apiKey: KEY, budget: 0.4 } };
    let home: string;
    {
      await using client = await moduleClient(modules);
      home = client.gateway.home;
      await client.call('openrouter', 'chat', params);
      await using again = await moduleClient(modules, { home });
      expect(await again.refused('openrouter', 'chat', params)).toContain('$0.10 of $0.40');
    }
    expect(fake.chats).toHaveLength(1);
  });

  test.skipIf(postgresIsMissing)('is one for all replicas', async () => {
    await using fake = await dearFake();
    const modules = { openrouter: { url: fake.url, apiKey: KEY, budget: cap, concurrency: 20 } };
    await using both = await startReplicas({
      memory: false,
      graph: false,
      blueprints: false,
      projects: false,
      modules,
    });
    await using one = await connectV2(both.a, { era: 'modern' });
    await using two = await connectV2(both.b, { era: 'modern' });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        callTool(index % 2 === 0 ? one : two, 'openrouter_call', { tool: 'chat', params }),
      ),
    );
    const through = results.filter(({ isError }) => !isError);
    expect(through.length).toBe(3);
    expect(textOf(results.find(({ isError }) => isError) ?? results[0]!)).toContain('a day is left');
    expect(fake.charged()).toBeLessThanOrEqual(cap);
  });

  it('sets aside at least what OpenRouter charges, whatever is sent', async () => {
    await using fake = await fakeOpenRouter();
    const result = parsed('openrouter', openrouter, { url: fake.url, apiKey: KEY });
    if ('findings' in result) throw new Error('These settings are fine.');
    let reserved = 0;
    const budget: Budget = {
      async reserve(amount) {
        reserved = amount;
        return { settle: async () => {} };
      },
      state: async () => ({ spent: 0, left: 0, until: '' }),
    };
    await using connection = connectOpenRouter(result.settings as SettingsOf<typeof openrouterSettings>, {
      name: 'openrouter',
      tls: undefined,
      timeoutMs: 10_000,
      budget: () => budget,
    });
    const price = fc.double({ min: 0, max: 1e-3, noNaN: true }).map((value) => value.toFixed(10));
    const { signal } = new AbortController();
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          prices: fc.record(
            {
              prompt: price,
              completion: price,
              request: price,
              internal_reasoning: price,
              input_cache_write: price,
              input_cache_write_1h: price,
            },
            { requiredKeys: ['prompt', 'completion'] },
          ),
          texts: fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), { minLength: 1, maxLength: 4 }),
          maxTokens: fc.integer({ min: 16, max: 500 }),
          written: fc.integer({ min: 0, max: 1000 }),
          reasoning: fc.integer({ min: 0, max: 1000 }),
          schema: fc.option(fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 })), {
            nil: undefined,
          }),
        }),
        async ({ prices, texts, maxTokens, written, reasoning, schema }) => {
          const fuzzed = model('acme/fuzzed', prices);
          fake.models = [fuzzed];
          fake.answer = () => ({ text: 'x'.repeat(written), reasoning });
          const messages = texts.map((content): Message => ({ role: 'user', content }));
          const before = fake.charged();
          const request = requestFor(
            { ...fuzzed, supported_parameters: ['max_tokens'], architecture: textOnly, top_provider: {} },
            { messages, maxTokens, schema },
          );
          await paidChat(connection, request, { signal, deadline: signal, step() {} });
          expect(fake.charged() - before).toBeLessThanOrEqual(reserved + 1e-12);
        },
      ),
      { numRuns: 80 },
    );
  });
});

const textOnly = { input_modalities: ['text'], output_modalities: ['text'] };
