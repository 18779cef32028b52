import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startScripted } from '../../fixtures/scripted-server.ts';
import {
  type AnyClient,
  callTool,
  connectV1,
  connectV2,
  type Json,
  startGateway,
  startReference,
  type TestGateway,
  type TransportName,
  textOf,
} from '../harness.ts';
import { connect, type Era, eras, ways } from '../../support/eras.ts';

const lateAsker = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../fixtures/late-asker.ts', import.meta.url))],
};

/** A client that answers every question with its name and records the questions. */
async function person(gateway: TestGateway, name: string, era: Era = 'legacy', transport: TransportName = 'http') {
  const asked: string[] = [];
  const answer = (_: string, params: Json | undefined) => {
    asked.push(String(params?.message));
    return { action: 'accept', content: { value: name } };
  };
  const client = await connect(gateway, era, { transport, answer, info: { name, version: '1' } });
  return Object.assign(client, { asked });
}

const ask = (client: AnyClient, tag: string, server = 'ref') =>
  callTool(client, `${server}__ask`, { kind: 'elicitation', tag }).then(textOf, (error: Error) => error.message);

const journalHas = async (client: AnyClient, line: string, server = 'ref') => {
  await expect.poll(async () => textOf(await callTool(client, `${server}__journal`))).toContain(line);
};

const inFlight = ({ runtime }: TestGateway, server: string) =>
  runtime.apis.gateway.backend(server)?.lanes.running()[0]?.inFlight;

/** A server with the v1 SDK. It asks on the standing stream, so nothing tells which client a question is for. */
async function startStandingAsker() {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const build = () => {
    const mcp = new McpServer({ name: 'standing', version: '1.0.0' });
    mcp.registerTool('ask', { inputSchema: { tag: z.string() } }, async ({ tag }) => {
      const requestedSchema = { type: 'object' as const, properties: { value: { type: 'string' as const } } };
      const result = await mcp.server.elicitInput({ message: `ask ${tag}`, requestedSchema });
      return { content: [{ type: 'text', text: `${tag} ${JSON.stringify(result)}` }] };
    });
    mcp.registerTool('impatient', { inputSchema: { tag: z.string() } }, async ({ tag }) => {
      const requestedSchema = { type: 'object' as const, properties: {} };
      const asked = mcp.server.elicitInput({ message: `ask ${tag}`, requestedSchema }, { timeout: 400 });
      return asked.then(
        () => ({ content: [{ type: 'text' as const, text: 'in time' }] }),
        () => ({ content: [{ type: 'text' as const, text: 'too late' }] }),
      );
    });
    mcp.registerTool('wait', { inputSchema: { ms: z.number() } }, async ({ ms }) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { content: [] };
    });
    return mcp;
  };
  const server = createServer((req, res) => {
    void (async () => {
      let transport = transports.get(String(req.headers['mcp-session-id']));
      if (!transport) {
        const made = new StreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (id) => void transports.set(id, made),
        });
        transport = made;
        await build().connect(transport);
      }
      await transport.handleRequest(req, res, req.method === 'POST' ? await json(req) : undefined);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    entry: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

describe('a question reaches only the client that caused it', () => {
  describe.each<TransportName>(['stdio', 'sse'])(
    'on a shared connection over %s, which does not tell which client it is for',
    (transport) => {
      it.each(eras)('is refused only while other clients have calls in flight (%s clients)', async (era) => {
        await using reference = await startReference(transport, 'legacy');
        await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
        await using ada = await person(gateway, 'Ada', era);
        await using bob = await person(gateway, 'Bob', era);
        const slow = callTool(ada, 'ref__slow', { ms: 2000, tag: 'ada' });
        await journalHas(bob, 'slow started ada');
        expect(await ask(bob, 'for Bob')).toContain('isolation: session');
        expect(textOf(await slow)).toBe('slow 2000');
        expect([ada.asked, bob.asked]).toEqual([[], []]);
        expect(await ask(bob, 'for Bob')).toContain('Bob');
        expect(await ask(ada, 'for Ada')).toContain('Ada');
        expect([ada.asked, bob.asked]).toEqual([['ask for Ada'], ['ask for Bob']]);
      });

      it.each<[TransportName, Era]>([
        ['http', 'legacy'],
        ['sse', 'legacy'],
        ['stdio', 'legacy'],
        ['stdio', 'modern'],
      ])('is asked if all calls in flight are from one client (over %s, %s era)', async (front, era) => {
        await using reference = await startReference(transport, 'legacy');
        await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
        await using ada = await person(gateway, 'Ada', era, front);
        const slow = callTool(ada, 'ref__slow', { ms: 500, tag: 'ada' });
        await journalHas(ada, 'slow started ada');
        const answers = await Promise.all([ask(ada, 'one'), ask(ada, 'two')]);
        expect(answers).toEqual([expect.stringMatching(/^one .*Ada/), expect.stringMatching(/^two .*Ada/)]);
        await slow;
      });

      it('is always asked with isolation: session', async () => {
        await using reference = await startReference(transport, 'legacy');
        await using gateway = await startGateway({ mcpServers: { ref: { ...reference.entry, isolation: 'session' } } });
        await using ada = await person(gateway, 'Ada');
        await using bob = await person(gateway, 'Bob');
        await using eve = await person(gateway, 'Eve', 'modern');
        const people = [ada, bob, eve];
        const slow = people.map((client) => callTool(client, 'ref__slow', { ms: 300 }));
        const answers = await Promise.all(people.map((client, index) => ask(client, `number ${index}`)));
        expect(answers).toEqual(
          ['Ada', 'Bob', 'Eve'].map((name, index) => expect.stringMatching(new RegExp(`^number ${index} .*${name}`))),
        );
        expect(people.map(({ asked }) => asked)).toEqual([['ask number 0'], ['ask number 1'], ['ask number 2']]);
        await Promise.all(slow);
      });
    },
  );

  it.each(eras)('is always asked over HTTP: the stream tells which client it is for (%s clients)', async (era) => {
    await using reference = await startReference('http', 'legacy');
    await using gateway = await startGateway({ mcpServers: { ref: reference.entry } });
    await using ada = await person(gateway, 'Ada', era);
    await using bob = await person(gateway, 'Bob', era);
    const slow = [ada, bob].map((client) => callTool(client, 'ref__slow', { ms: 400 }));
    const answers = await Promise.all([ask(ada, 'for Ada'), ask(bob, 'for Bob')]);
    expect(answers).toEqual([expect.stringMatching(/^for Ada .*Ada/), expect.stringMatching(/^for Bob .*Bob/)]);
    expect([ada.asked, bob.asked]).toEqual([['ask for Ada'], ['ask for Bob']]);
    await Promise.all(slow);
  });

  it('on the standing stream over HTTP is treated like one over stdio', async () => {
    await using server = await startStandingAsker();
    await using gateway = await startGateway({ mcpServers: { ref: server.entry } });
    await using ada = await person(gateway, 'Ada');
    await using bob = await person(gateway, 'Bob');
    expect(await ask(ada, 'alone')).toMatch(/^alone .*Ada/);
    const wait = callTool(ada, 'ref__wait', { ms: 2000 });
    await expect.poll(() => inFlight(gateway, 'ref')).toBe(1);
    expect(await ask(bob, 'beside')).toContain('isolation: session');
    await wait;
    expect([ada.asked, bob.asked]).toEqual([['ask alone'], []]);
  });

  it('is cancelled at the client when the backend cancels it', async () => {
    await using server = await startStandingAsker();
    await using gateway = await startGateway({ mcpServers: { ref: server.entry } });
    await using ada = await connectV1(gateway, { capabilities: { elicitation: {} } });
    const takenBack = new Promise<void>((resolve) => {
      ada.setRequestHandler(ElicitRequestSchema, async (_, { signal }) => {
        await new Promise<void>((aborted) => signal.addEventListener('abort', () => aborted(), { once: true }));
        resolve();
        return { action: 'cancel' };
      });
    });
    expect(textOf(await callTool(ada, 'ref__impatient', { tag: 't' }))).toBe('too late');
    await takenBack;
    // A 2026 client cannot be told. Its answer comes too late, and the call continues without it.
    const slowly = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1200));
      return { action: 'accept', content: {} };
    };
    await using eve = await connectV2(gateway, { era: 'modern', answer: slowly });
    expect(textOf(await callTool(eve, 'ref__impatient', { tag: 't' }))).toBe('too late');
  });

  describe('of a call that was given up', () => {
    const hold = (client: AnyClient, signal?: AbortSignal) => {
      const held = callTool(client, 'late__hold', { tag: 'of Ada' }, signal && { signal });
      held.catch(() => {});
      return held;
    };

    it.each(eras)('is not asked to another client after the call was cancelled (%s clients)', async (era) => {
      await using gateway = await startGateway({ mcpServers: { late: lateAsker } });
      await using ada = await person(gateway, 'Ada', era);
      await using bob = await person(gateway, 'Bob', era);
      const abort = new AbortController();
      const held = hold(ada, abort.signal);
      await expect.poll(() => inFlight(gateway, 'late')).toBe(1);
      abort.abort();
      await expect(held).rejects.toThrow(/abort/i);
      await expect.poll(() => inFlight(gateway, 'late')).toBe(0);
      expect(textOf(await callTool(bob, 'late__nudge'))).toContain('isolation: session');
      expect([ada.asked, bob.asked]).toEqual([[], []]);
    });

    it('is not asked to another client after the call timed out', async () => {
      await using gateway = await startGateway({ mcpServers: { late: { ...lateAsker, callTimeout: '1s' } } });
      await using ada = await person(gateway, 'Ada');
      await using bob = await person(gateway, 'Bob');
      expect(await hold(ada)).toMatchObject({ isError: true });
      expect(textOf(await callTool(bob, 'late__nudge'))).toContain('isolation: session');
      expect(bob.asked).toEqual([]);
    });

    it('is not asked to another client after the caller disconnected', async () => {
      await using gateway = await startGateway({ mcpServers: { late: lateAsker } });
      const ada = await person(gateway, 'Ada', 'legacy', 'sse');
      await using bob = await person(gateway, 'Bob');
      hold(ada).catch(() => {});
      await expect.poll(() => inFlight(gateway, 'late')).toBe(1);
      await ada.close();
      await expect.poll(() => inFlight(gateway, 'late')).toBe(0);
      expect(textOf(await callTool(bob, 'late__nudge'))).toContain('isolation: session');
      expect(bob.asked).toEqual([]);
    });

    it('no longer blocks others once the backend has answered the call', async () => {
      await using gateway = await startGateway({ mcpServers: { late: lateAsker } });
      await using ada = await person(gateway, 'Ada');
      await using bob = await person(gateway, 'Bob');
      const abort = new AbortController();
      const held = hold(ada, abort.signal);
      await expect.poll(() => inFlight(gateway, 'late')).toBe(1);
      abort.abort();
      await expect(held).rejects.toThrow(/abort/i);
      await callTool(bob, 'late__finish');
      const second = callTool(bob, 'late__hold', { tag: 'of Bob' });
      await expect.poll(() => inFlight(gateway, 'late')).toBe(1);
      expect(textOf(await callTool(bob, 'late__nudge'))).toContain('Bob');
      expect(bob.asked).toEqual(['ask of Bob']);
      await callTool(bob, 'late__finish');
      await second;
    });
  });

  it('on the stream of a finished call is refused', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const question = {
      id: 'late',
      method: 'elicitation/create',
      params: { message: 'too late', requestedSchema: { type: 'object', properties: {} } },
    };
    await using server = await startScripted('legacy', {
      'tools/list': () => ({ tools: ['wait', 'over'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
      'tools/call': async ({ name }, { request, send }) => {
        if (name === 'wait') await held;
        else {
          send({ id: request.id, result: { content: [] } });
          send(question);
        }
        return { content: [] };
      },
    });
    await using gateway = await startGateway({ mcpServers: { ref: server.entry } });
    await using ada = await person(gateway, 'Ada');
    await using bob = await person(gateway, 'Bob');
    const waiting = callTool(ada, 'ref__wait');
    await expect.poll(() => server.received.at(-1)?.params?.name).toBe('wait');
    await callTool(bob, 'ref__over');
    await expect.poll(() => server.received.some(({ id }) => id === 'late')).toBe(true);
    expect(server.received.find(({ id }) => id === 'late')?.error).toMatchObject({
      message: expect.stringContaining('has ended'),
    });
    letGo();
    await waiting;
    expect([ada.asked, bob.asked]).toEqual([[], []]);
  });

  it('never reaches a wrong client with twenty at once', async () => {
    await using owned = new AsyncDisposableStack();
    const entries: Record<string, object> = {};
    for (const [transport, era] of ways) {
      const { entry } = owned.use(await startReference(transport, era));
      entries[`${transport}-${era}`] = entry;
    }
    entries['own-http'] = { ...entries['http-legacy'], isolation: 'session' };
    const gateway = owned.use(await startGateway({ mcpServers: entries }));
    const servers = Object.keys(entries);
    const people = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const name = `P${index}`;
        const asked: string[] = [];
        const answer = (_: string, params: Json | undefined) => {
          asked.push(String(params?.message));
          return { action: 'accept', content: { value: name } };
        };
        const transport = index % 4 === 3 ? 'sse' : 'http';
        const client =
          index % 4 === 1
            ? await connectV2(gateway, { era: 'modern', answer })
            : await connectV1(gateway, { transport, answer });
        return { name, asked, client: owned.use(client) };
      }),
    );
    const outcomes = await Promise.all(
      people.flatMap(({ name, client }) =>
        servers.flatMap((server) =>
          ['a', 'b', 'c'].map(async (turn) => {
            const tag = `${name}/${server}/${turn}`;
            return { tag, name, server, text: await ask(client, tag, server) };
          }),
        ),
      ),
    );
    for (const { name, asked } of people) {
      for (const question of asked) expect(question).toMatch(new RegExp(`^ask ${name}/`));
    }
    const refused = outcomes.filter(({ text }) => text.includes('isolation: session'));
    for (const { tag, name, text } of outcomes.filter((outcome) => !refused.includes(outcome))) {
      expect(text).toContain(`${tag} `);
      expect(JSON.parse(text.slice(tag.length + 1))).toMatchObject({ content: { value: name } });
    }
    // Only transports that do not tell which client is meant may refuse a question, and with this load they must.
    expect([...new Set(refused.map(({ server }) => server))].sort()).toEqual(['sse-legacy', 'stdio-legacy']);
    expect(outcomes).toHaveLength(20 * 6 * 3);
  });
});
