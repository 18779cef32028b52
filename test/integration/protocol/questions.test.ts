import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startScripted } from '../../fixtures/scripted-server.ts';
import {
  type AnyClient,
  callTool,
  connectV1,
  type ClientOptions,
  type Json,
  open,
  openSession,
  type Reference,
  rpc,
  send,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';
import { connect, pairs, ways } from '../../support/eras.ts';

const features = {
  elicitation: { method: 'elicitation/create', answer: { action: 'accept', content: { value: 'forty-two' } } },
  sampling: {
    method: 'sampling/createMessage',
    answer: {
      model: 'none',
      role: 'assistant',
      stopReason: 'endTurn',
      content: { type: 'text', text: 'I am a model' },
    },
  },
  roots: { method: 'roots/list', answer: { roots: [{ uri: 'file:///home/me', name: 'home' }] } },
} as const;

type Feature = keyof typeof features;
const kinds = Object.keys(features) as Feature[];

const isolations = ['session', 'principal', 'shared'];

interface Question {
  method: string;
  params: Json | undefined;
}

/** Answers from the table, and records what was asked. */
function answering() {
  const asked: Question[] = [];
  const answer: ClientOptions['answer'] = (method, params) => {
    asked.push({ method, params });
    return Object.values(features).find((feature) => feature.method === method)?.answer;
  };
  return { asked, answer };
}

/** The answer as `ask` prints it. In 2026 it includes the kind of result. */
function told(result: Awaited<ReturnType<typeof callTool>>, tag: string): unknown {
  const text = textOf(result);
  if (!text.startsWith(`${tag} {`)) throw new Error(`Not the answer to ${tag}: ${text}`);
  return JSON.parse(text.slice(tag.length + 1));
}

describe('elicitation, sampling and roots work in every pair of eras', () => {
  describe.each(ways)('a backend over %s, %s era', (transport, backend) => {
    const owned = new AsyncDisposableStack();
    const clients = new Map<string, { client: AnyClient; asked: Question[] }>();
    beforeAll(async () => {
      const { entry } = owned.use(await startReference(transport, backend));
      const mcpServers = Object.fromEntries(isolations.map((isolation) => [isolation, { ...entry, isolation }]));
      const gateway = owned.use(await startGateway({ mcpServers }));
      for (const [front, era] of ways) {
        const { asked, answer } = answering();
        const client = owned.use(await connect(gateway, era, { transport: front, answer }));
        clients.set(`${front} ${era}`, { client, asked });
      }
    });
    afterAll(() => owned.disposeAsync());

    describe.each(isolations)('isolation %s', (isolation) => {
      it.each(ways)('a client over %s, %s era', async (front, era) => {
        const { client, asked } = clients.get(`${front} ${era}`) as { client: AnyClient; asked: Question[] };
        for (const kind of kinds) {
          const tag = `${kind} of ${isolation}`;
          const result = await callTool(client, `${isolation}__ask`, { kind, tag });
          expect(told(result, tag)).toMatchObject(features[kind].answer);
          const questions = asked.splice(0);
          expect(questions.map(({ method }) => method)).toEqual([features[kind].method]);
          if (kind !== 'roots') expect(JSON.stringify(questions[0]?.params)).toContain(`ask ${tag}`);
        }
      });
    });
  });

  describe.each(pairs)('a %s client and a %s backend', (era, backend) => {
    let reference: Reference;
    let gateway: TestGateway;
    beforeAll(async () => {
      reference = await startReference('http', backend);
      gateway = await startGateway({ mcpServers: { ref: { ...reference.entry, isolation: 'session' } } });
    });
    afterAll(async () => {
      await gateway[Symbol.asyncDispose]();
      await reference[Symbol.asyncDispose]();
    });

    it.each(['decline', 'cancel'])('%s is passed on unchanged', async (action) => {
      await using client = await connect(gateway, era, { answer: () => ({ action }) });
      expect(told(await callTool(client, 'ref__ask', { kind: 'elicitation', tag: 't' }), 't')).toMatchObject({
        action,
      });
    });

    it('several rounds, and several questions at once', async () => {
      const answer: ClientOptions['answer'] = (method, params) => {
        const { message } = (params ?? {}) as { message?: string };
        if (message?.startsWith('Step 1')) return { action: 'accept', content: { name: 'Ada' } };
        if (message?.startsWith('Step 2')) return { action: 'accept', content: { color: 'green' } };
        return Object.values(features).find((feature) => feature.method === method)?.answer;
      };
      await using client = await connect(gateway, era, { answer });
      expect(textOf(await callTool(client, 'ref__test_input_required_result_multi_round'))).toBe(
        'Ada: action=accept, content={"color":"green"}',
      );
      const { tools } = await client.listTools();
      const several = tools.find(({ name }) => name.startsWith('ref__test_input_required_result_multip'))?.name;
      expect(textOf(await callTool(client, String(several)))).toBe('elicit, sampling, roots');
    });

    it('a prompt may ask too', async () => {
      const { asked, answer } = answering();
      await using client = await connect(gateway, era, { answer });
      const { messages } = await client.getPrompt({ name: 'ref__test_input_required_result_prompt' });
      expect(asked).toHaveLength(1);
      expect(messages).not.toHaveLength(0);
    });

    it.each(kinds)('a client without %s is not asked, and the call fails with the reason', async (kind) => {
      const { asked, answer } = answering();
      const capabilities = Object.fromEntries(kinds.filter((other) => other !== kind).map((other) => [other, {}]));
      await using client = await connect(gateway, era, { answer, capabilities });
      const outcome = await callTool(client, 'ref__ask', { kind, tag: 't' }).then(
        textOf,
        (error: Error) => error.message,
      );
      expect(outcome.toLowerCase()).toContain(kind);
      expect(asked).toEqual([]);
    });
  });

  it('changed roots of a client are forwarded to its own backend, but not to a shared one', async () => {
    const list = () => ({ tools: [{ name: 'tool', inputSchema: { type: 'object' } }] });
    const script = () => ({ 'tools/list': list, 'tools/call': () => ({ content: [] }) });
    await using own = await startScripted('legacy', script());
    await using shared = await startScripted('legacy', script());
    const mcpServers = { own: { ...own.entry, isolation: 'session' }, shared: shared.entry };
    await using gateway = await startGateway({ mcpServers });
    await using client = await connectV1(gateway, { capabilities: { roots: { listChanged: true } } });
    await callTool(client, 'own__tool');
    await callTool(client, 'shared__tool');
    await client.sendRootsListChanged();
    const changed = ({ method }: { method?: string }) => method === 'notifications/roots/list_changed';
    await expect.poll(() => own.received.filter(changed)).toHaveLength(1);
    expect(shared.received.filter(changed)).toEqual([]);
  });

  it('a 2025 client without a session cannot be asked, and the error says so', async () => {
    await using reference = await startReference('http', 'legacy');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    const { messages } = await send(gateway.mcp, {
      body: rpc(1, 'tools/call', { name: 'ref__ask', arguments: { kind: 'elicitation', tag: 't' } }),
    });
    expect(JSON.stringify(messages)).toContain('elicitation');
    expect(messages).toHaveLength(1);
  });

  it('a client that accepts only JSON is asked on its standing stream', async () => {
    await using reference = await startReference('http', 'legacy');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    const session = await openSession(gateway.mcp, { capabilities: { elicitation: {} } });
    const body = rpc(1, 'tools/call', { name: 'ref__ask', arguments: { kind: 'elicitation', tag: 't' } });
    const headers = { ...session, accept: 'application/json' };
    const refused = await send(gateway.mcp, { headers, body });
    expect(JSON.stringify(refused.messages)).toContain('has no open stream');

    using stream = await open(gateway.mcp, { headers: { ...session, accept: 'text/event-stream' } });
    const call = send(gateway.mcp, { headers, body });
    const question = await vi.waitFor(() => {
      const found = stream.messages.find(({ method }) => method === 'elicitation/create');
      expect(found).toMatchObject({ params: { message: 'ask t' } });
      return found;
    }, 10_000);
    const answer = { jsonrpc: '2.0', id: question?.id, result: features.elicitation.answer };
    expect((await send(gateway.mcp, { headers, body: answer })).status).toBe(202);
    expect(JSON.stringify((await call).messages)).toContain('forty-two');
  });
});
