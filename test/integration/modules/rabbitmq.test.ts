/** A tour of the module rabbitmq through a real MCP client, against Debian's RabbitMQ. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { lineTo } from '../../support/cut-line.ts';
import { isMissing } from '../../support/daemon.ts';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { RABBITMQ, type Rabbit, startRabbit } from '../../support/rabbitmq.ts';

interface Queues {
  queues: { name: string; ready?: number; type?: string; consumers?: number }[];
  total: number;
  cursor?: string;
}
interface Peeked {
  messages: {
    payload: string;
    encoding?: string;
    bytes?: number;
    redelivered: boolean;
    headers?: object;
    properties?: object;
  }[];
  left: number;
  not_shown?: number;
  note?: string;
}

describe.skipIf(isMissing(RABBITMQ))('the module rabbitmq', () => {
  let rabbit: Rabbit;
  let client: ModuleClient;
  let socket: Socket;
  const pages = Array.from({ length: 45 }, (_, n) => `page.${String(n).padStart(2, '0')}`);

  beforeAll(async () => {
    rabbit = await startRabbit();
    const { managementUrl } = rabbit;
    client = await moduleClient({
      rabbitmq: { managementUrl, mode: 'read-write' },
      'rabbitmq-shown': { type: 'rabbitmq', managementUrl },
      'rabbitmq-orders': { type: 'rabbitmq', managementUrl, mode: 'read-write', queues: ['orders*', 'a/b'] },
    });
    // The statistics of these come with the seconds, while others are tested.
    socket = await amqp(rabbit.port);
    const queues = ['dead.letters', ...pages].map((name) => ({
      name,
      durable: false,
      auto_delete: false,
      arguments: {},
    }));
    await rabbit.api('definitions/%2F', { method: 'POST', body: { queues } });
    for (const routing_key of ['dead.letters', 'page.31']) await call('publish_message', { routing_key, payload: 'x' });
  }, 90_000);

  afterAll(async () => {
    socket?.destroy();
    await client?.[Symbol.asyncDispose]();
    await rabbit?.[Symbol.asyncDispose]();
  }, 30_000);

  const call = <T>(tool: string, params = {}) => client.call<T>('rabbitmq', tool, params);
  const declare = async (queue: string, more = {}) => await call('declare_queue', { queue, ...more });

  describe('discovers', () => {
    test('all tools, the schema of one, and the nearest to an unknown one', async () => {
      expect(await client.listed()).toEqual(
        expect.arrayContaining(['rabbitmq_list', 'rabbitmq_call', 'rabbitmq_read']),
      );
      const list = await client.list('rabbitmq');
      expect(list).toContain('rabbitmq_peek_messages');
      expect(await client.list('rabbitmq', { tool: 'rabbitmq_publish_message' })).toContain('routing_key');
      expect(await client.refused('rabbitmq', 'peek_message')).toContain('rabbitmq_peek_messages');
    });

    test('the broker', async () => {
      const overview = await client.read('rabbitmq', 'get_overview');
      expect(overview).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+/), vhost: '/' });
      expect(overview.listeners).toContain(`amqp ${rabbit.port}`);
      const { nodes } = await client.read<{ nodes: object[] }>('rabbitmq', 'list_nodes');
      expect(nodes).toEqual([expect.objectContaining({ name: 'sluice@localhost', running: true, alarms: [] })]);
      const { vhosts } = await client.read<{ vhosts: object[] }>('rabbitmq', 'list_vhosts');
      expect(vhosts).toEqual([expect.objectContaining({ name: '/', default: true })]);
    });

    test('users with their permissions, and never a hash', async () => {
      const answer = await client.read('rabbitmq', 'list_users');
      expect(answer.users).toEqual([
        {
          name: 'guest',
          tags: ['administrator'],
          permissions: [{ vhost: '/', configure: '.*', write: '.*', read: '.*' }],
        },
      ]);
      expect(JSON.stringify(answer)).not.toMatch(/hash/i);
    });
  });

  describe('messages', () => {
    test('are published, peeked at as often as you like, and purged after a question', async () => {
      await declare('orders');
      const sent = { routing_key: 'orders', payload: '{"id": 7}', content_type: 'application/json' };
      expect(await call('publish_message', { ...sent, headers: { retries: 1 } })).toEqual({ routed: true, bytes: 9 });
      await call('publish_message', { routing_key: 'orders', payload: '/wCA', payload_encoding: 'base64' });
      await call('publish_message', { routing_key: 'orders', payload: 'ü'.repeat(5000), persistent: false });

      const { messages, left } = await client.read<Peeked>('rabbitmq', 'peek_messages', {
        queue: 'orders',
        bytes: 101,
      });
      expect(left).toBe(0);
      expect(messages).toEqual([
        {
          exchange: '',
          routing_key: 'orders',
          redelivered: false,
          properties: { content_type: 'application/json', delivery_mode: 2 },
          headers: { retries: 1 },
          payload: '{"id": 7}',
        },
        expect.objectContaining({ payload: '/wCA', encoding: 'base64' }),
        expect.objectContaining({ payload: 'ü'.repeat(50), bytes: 10_000 }),
      ]);
      const again = await client.read<Peeked>('rabbitmq', 'peek_messages', { queue: 'orders', count: 1 });
      expect(again).toMatchObject({ messages: [{ payload: '{"id": 7}', redelivered: true }], left: 2 });

      expect(await call('purge_queue', { queue: 'orders', dry_run: true })).toMatchObject({
        purged: 0,
        would_purge: 3,
      });
      const { question, result } = await client.confirmed('rabbitmq', 'purge_queue', { queue: 'orders' });
      expect(question).toContain('queue orders in the vhost /: now 3 messages');
      expect(result).toMatchObject({ purged: 3 });
      expect(await client.read('rabbitmq', 'peek_messages', { queue: 'orders' })).toEqual({ messages: [], left: 0 });
    });

    test('of many megabytes are cut by the broker, and many fit into one reply', async () => {
      await declare('big');
      for (const size of [3_000_000, 2000, 2000, 2000, 2000])
        await call('publish_message', { routing_key: 'big', payload: 'x'.repeat(size) });
      const { messages, not_shown } = await client.read<Peeked>('rabbitmq', 'peek_messages', {
        queue: 'big',
        bytes: 1500,
      });
      expect(messages[0]).toMatchObject({ bytes: 3_000_000, payload: 'x'.repeat(1500) });
      expect(messages.length + (not_shown ?? 0)).toBe(5);
      expect(not_shown).toBeGreaterThan(0);

      await declare('escaped');
      const headers = Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [`h${n}`.padEnd(200, '"'), '"'.repeat(500)]),
      );
      await call('publish_message', { routing_key: 'escaped', payload: '"\\\n'.repeat(2000), headers });
      const escaped = await client.read<Peeked>('rabbitmq', 'peek_messages', { queue: 'escaped', bytes: 3000 });
      expect(escaped.messages).toMatchObject([{ bytes: 6000, headers: { '…': expect.stringMatching(/more/) } }]);
    });

    test('that no queue takes are reported as lost', async () => {
      await declare('invoices');
      const direct = await call('publish_message', { routing_key: 'invoice', payload: 'x' });
      expect(direct).toMatchObject({ routed: false, note: expect.stringContaining('Did you mean invoices?') });
      const fanout = await call('publish_message', { exchange: 'amq.fanout', routing_key: 'k', payload: 'x' });
      expect(fanout).toMatchObject({ routed: false, note: expect.stringContaining('no queue is bound to amq.fanout') });
    });

    test.each([
      ['an unknown exchange', { exchange: 'amq.topik', routing_key: 'k', payload: 'x' }, /Did you mean amq\.topic\?/],
      ['bytes that are not base64', { routing_key: 'k', payload: '§', payload_encoding: 'base64' }, /not base64/],
      ['a wrong property', { routing_key: 'k', payload: 'x', properties: { priority: 900 } }, /priority/],
    ])('with %s are refused', async (_, params, message) => {
      expect(await client.refused('rabbitmq', 'publish_message', params)).toMatch(message);
    });

    test('of a quorum queue with a delivery limit are not used up by looking', async () => {
      await declare('fragile', { type: 'quorum', arguments: { 'x-delivery-limit': 2 } });
      await call('publish_message', { routing_key: 'fragile', payload: 'precious' });
      expect(await client.refused('rabbitmq', 'peek_messages', { queue: 'fragile' })).toContain('accept_delivery');
      expect(
        await client.refused('rabbitmq-shown', 'peek_messages', { queue: 'fragile', accept_delivery: true }),
      ).toMatch(/after 2 deliveries.*modules\.rabbitmq-shown\.mode is read-only/);
      const seen = await call<Peeked>('peek_messages', { queue: 'fragile', accept_delivery: true });
      expect(seen).toMatchObject({ messages: [{ payload: 'precious' }], note: expect.stringContaining('2') });

      await declare('sturdy', { type: 'quorum', arguments: { 'x-delivery-limit': 20 } });
      await call('publish_message', { routing_key: 'sturdy', payload: 'ordinary' });
      const { note } = await client.read<Peeked>('rabbitmq-shown', 'peek_messages', { queue: 'sturdy' });
      expect(note).toBe('Each peek counts as a delivery, and after 20 this queue drops or dead-letters a message.');
    });

    test('of a stream are neither peeked at nor purged', async () => {
      await declare('log', { type: 'stream' });
      expect(await client.refused('rabbitmq', 'peek_messages', { queue: 'log' })).toContain('is a stream');
      expect(await client.refused('rabbitmq', 'purge_queue', { queue: 'log' })).toContain('is a stream');
    });
  });

  describe('queues, exchanges and bindings', () => {
    test('are declared, bound, read and deleted after a question', async () => {
      expect(await declare('a/b', { arguments: { 'x-max-length': 10 } })).toMatchObject({ created: true });
      expect(await declare('a/b', { arguments: { 'x-max-length': 10 } })).toMatchObject({ created: false });
      expect(await call('declare_exchange', { exchange: 'events/new', type: 'topic' })).toMatchObject({
        created: true,
      });
      const binding = { exchange: 'events/new', name: 'a/b', routing_key: 'user.*/#' };
      await call('declare_binding', binding);
      expect(
        await call('publish_message', { ...binding, name: undefined, routing_key: 'user.x/', payload: 'hi' }),
      ).toEqual({
        routed: false,
        bytes: 2,
        note: expect.any(String),
      });

      expect(await client.read('rabbitmq', 'get_queue', { queue: 'a/b' })).toMatchObject({
        name: 'a/b',
        type: 'classic',
        arguments: { 'x-max-length': 10 },
        messages: 0,
        consumers: 0,
        bindings: 1,
      });
      const shown = { exchange: 'events/new', to: 'queue', name: 'a/b', routing_key: 'user.*/#' };
      expect(await client.read('rabbitmq', 'list_bindings', { queue: 'a/b' })).toEqual({ bindings: [shown], total: 1 });
      expect(await client.read('rabbitmq', 'get_exchange', { exchange: 'events/new' })).toMatchObject({
        type: 'topic',
        bindings: [shown],
        bindings_total: 1,
      });
      const { exchanges } = await client.read<{ exchanges: object[] }>('rabbitmq', 'list_exchanges', {
        pattern: 'events*',
      });
      expect(exchanges).toEqual([{ name: 'events/new', type: 'topic' }]);

      const wrong = await client.refused('rabbitmq', 'delete_binding', { ...binding, routing_key: 'user' });
      expect(wrong).toContain('There are bindings with "user.*/#"');
      const unbound = await client.confirmed('rabbitmq', 'delete_binding', binding);
      expect(unbound.question).toContain('from the exchange events/new to the queue a/b');
      await call('declare_binding', { ...binding, to: 'exchange', name: 'amq.topic' });
      const gone = await client.confirmed('rabbitmq', 'delete_exchange', { exchange: 'events/new' });
      expect(gone.question).toContain('with 1 binding. It feeds amq.topic.');

      await call('publish_message', { routing_key: 'a/b', payload: 'x' });
      const kept = await client.refused('rabbitmq', 'delete_queue', {
        queue: 'a/b',
        if_empty: true,
        confirm: undefined,
      });
      expect(kept).toMatch(/with 1 message/);
      const deleted = await client.confirmed('rabbitmq', 'delete_queue', { queue: 'a/b' });
      expect(deleted.question).toContain('Nobody consumes it.');
      expect(deleted.result).toEqual({ queue: 'a/b', vhost: '/', messages: 1 });
      expect(await client.refused('rabbitmq', 'get_queue', { queue: 'a/b' })).toContain('No queue a/b in the vhost /.');
    });

    test('come in pages, by pattern and by length', async () => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page: Queues = await client.read('rabbitmq', 'list_queues', {
          pattern: 'page.*',
          limit: 20,
          ...(cursor && { cursor }),
        });
        expect(page.total).toBe(45);
        seen.push(...page.queues.map(({ name }) => name));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(pages);
      await expect
        .poll(
          async () => {
            const { queues } = await client.read<Queues>('rabbitmq', 'list_queues', {
              sort: 'messages',
              pattern: 'page.*',
            });
            return queues[0];
          },
          { timeout: 20_000 },
        )
        .toMatchObject({ name: 'page.31', ready: 1 });
      expect(await client.read('rabbitmq', 'list_queues', { pattern: 'PAGE.*' })).toEqual({ queues: [], total: 0 });
    });

    test.each([
      ['get_queue', { queue: 'order' }, /No queue order in the vhost \/\. Did you mean orders/],
      ['get_queue', { queue: 'orders', vhost: 'nowhere' }, /No vhost nowhere\. rabbitmq_list_vhosts/],
      ['list_queues', { vhost: 'nowhere' }, /No vhost nowhere/],
      ['get_queue', { queue: '..' }, /is not a name/],
      ['get_queue', { queue: 'x'.repeat(300) }, /queue/],
      ['get_queue', { queue: '../../overview' }, /No queue/],
      ['list_queues', { pattern: '(((('.repeat(20) }, undefined],
      ['list_queues', { cursor: 'nonsense' }, /cursor/],
      ['declare_queue', { queue: 'amq.mine' }, /belong to RabbitMQ/],
      ['declare_queue', { queue: 'orders', durable: false }, /there already with other properties/],
      ['declare_queue', { queue: 'ttl', arguments: { 'x-message-ttl': 'soon' } }, /x-message-ttl/],
      ['declare_exchange', { exchange: 'odd', type: 'odd' }, /odd/],
      ['declare_binding', { exchange: 'amq.topic', name: 'order' }, /No queue order.*Did you mean orders/],
      ['declare_binding', { exchange: 'amq.topik', name: 'orders' }, /No exchange amq\.topik.*Did you mean amq\.topic/],
      ['delete_exchange', { exchange: 'nothing-like-it' }, /No exchange nothing-like-it/],
      ['close_connection', { connection: '127.0.0.1:1 -> 127.0.0.1:2' }, /No connection/],
      ['list_bindings', { queue: 'orders', exchange: 'amq.topic' }, /not both/],
    ] as const)('%s %o', async (tool, params, message) => {
      await declare('orders');
      if (message) expect(await client.refused('rabbitmq', tool, params)).toMatch(message);
      else expect(await client.read('rabbitmq', tool, params)).toBeDefined();
    });
  });

  describe('safety', () => {
    test('read-only lists and calls nothing that changes', async () => {
      const list = await client.list('rabbitmq-shown');
      expect(list).toContain('rabbitmq-shown_list_queues');
      expect(list).not.toMatch(/purge|publish|delete|declare|close/);
      expect(await client.refused('rabbitmq-shown', 'purge_queue', { queue: 'orders' })).toContain(
        'set modules.rabbitmq-shown.mode to read-write',
      );
    });

    test('allow-lists hide and refuse the rest', async () => {
      await declare('orders');
      await declare('secret');
      const ask = (tool: string, params = {}) => client.refused('rabbitmq-orders', tool, params);
      const { queues } = await client.read<Queues>('rabbitmq-orders', 'list_queues');
      expect(queues.map(({ name }) => name)).toContain('orders');
      expect(queues.map(({ name }) => name)).not.toContain('secret');
      const setting = /modules\.rabbitmq-orders\.queues/;
      expect(await ask('get_queue', { queue: 'secret' })).toMatch(setting);
      expect(await ask('peek_messages', { queue: 'secret' })).toMatch(setting);
      expect(await ask('purge_queue', { queue: 'secret' })).toMatch(setting);
      expect(await ask('delete_queue', { queue: 'secret' })).toMatch(setting);
      expect(await ask('publish_message', { routing_key: 'secret', payload: 'x' })).toMatch(setting);
      const copied = { routing_key: 'orders', payload: 'x', headers: { CC: ['secret'] } };
      expect(await ask('publish_message', copied)).toMatch(setting);
      expect(await ask('publish_message', { ...copied, headers: { BCC: 'secret' } })).toMatch(setting);
      expect(await ask('publish_message', { exchange: 'amq.topic', routing_key: 'k', payload: 'x' })).toMatch(
        /can deliver to queues that modules\.rabbitmq-orders\.queues leaves out/,
      );
      const dead = (more: object) => ({ queue: 'orders.new', arguments: { 'x-dead-letter-exchange': '', ...more } });
      expect(await ask('declare_queue', dead({ 'x-dead-letter-routing-key': 'secret' }))).toMatch(setting);
      expect(await ask('declare_queue', dead({}))).toMatch(setting);
      const sent = await client.call('rabbitmq-orders', 'publish_message', { routing_key: 'orders', payload: 'x' });
      expect(sent).toMatchObject({ routed: true });
      expect(await ask('get_queue', { queue: 'order' })).not.toContain('secret');
    });

    test('a user without rights is told which', async () => {
      for (const [name, tags] of [
        ['none', ''],
        ['some', 'management'],
      ] as const) {
        await rabbit.api(`users/${name}`, { method: 'PUT', body: { password: 'long-password', tags } });
      }
      const at = (who: string) => ({
        type: 'rabbitmq',
        managementUrl: `http://${who}@127.0.0.1:${rabbit.managementPort}`,
      });
      await using others = await moduleClient({
        wrong: at('guest:not-the-password'),
        none: at('none:long-password'),
        some: at('some:long-password'),
      });
      const wrong = await others.refused('wrong', 'list_queues');
      expect(wrong).toContain('refuses the user or the password');
      expect(wrong).toContain('modules.wrong.url');
      expect(wrong).not.toContain('not-the-password');
      expect(others.health('wrong')).toMatchObject({ state: 'failing' });
      expect(await others.refused('none', 'list_queues')).toContain('set_user_tags USER management');
      expect(await others.refused('some', 'list_users')).toContain('set_user_tags USER administrator');
      expect(await others.refused('some', 'list_nodes')).toContain('set_user_tags USER monitoring');
      expect(await others.refused('some', 'list_queues')).toContain('into this vhost');
      const health = await others.read('some', 'check_health');
      expect(health.skipped).toEqual(expect.arrayContaining([expect.stringMatching(/^nodes: .*monitoring/)]));
    });
  });

  describe('connections', () => {
    test('and channels are listed, and a connection is closed', async () => {
      interface Connections {
        connections: { name: string; user?: string }[];
      }
      const own = async () => {
        const { connections } = await client.read<Connections>('rabbitmq', 'list_connections');
        return connections.find(({ name }) => name.includes(`:${socket.localPort} `));
      };
      await expect.poll(own, { timeout: 20_000 }).toMatchObject({ user: 'guest', vhost: '/' });
      const { name = '' } = (await own()) ?? {};
      expect(await client.read('rabbitmq', 'list_channels')).toMatchObject({ channels: [], total: 0 });
      // The broker resets it: `once` would take that for a failure.
      const closed = new Promise((resolve) => socket.once('close', resolve));
      expect(await call('close_connection', { connection: name })).toMatchObject({ connection: name, user: 'guest' });
      await closed;
    });
  });

  describe('health', () => {
    test('names what waits without a consumer, and alarms', async () => {
      const look = async () => await client.read('rabbitmq', 'check_health');
      await expect
        .poll(async () => (await look()).findings, { timeout: 20_000 })
        .toContainEqual(
          expect.objectContaining({ where: 'queue dead.letters', problem: expect.stringMatching(/nobody consumes/) }),
        );
      expect((await look()).checked).toEqual(['alarms', 'listeners', 'nodes', 'queues', 'quorum', 'vhosts']);
    });

    test('of the module names the version', async () => {
      await client.read('rabbitmq', 'get_overview');
      expect(client.health('rabbitmq')).toMatchObject({ state: 'ready' });
      const part = client.gateway.runtime;
      expect(part.health().find(({ name }) => name === 'rabbitmq')?.detail).toContain(String(rabbit.managementPort));
    });
  });

  describe('trouble', () => {
    test('the port of AMQP, a login page, and no answer at all', async () => {
      const page = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>');
      }).listen(0, '127.0.0.1');
      await once(page, 'listening');
      onTestFinished(() => void page.close());
      const { port } = page.address() as AddressInfo;
      await using line = await lineTo(rabbit.managementPort);
      line.freeze();
      const at = (where: number, more = {}) => ({
        type: 'rabbitmq',
        managementUrl: `http://127.0.0.1:${where}`,
        ...more,
      });
      await using others = await moduleClient({
        amqp: at(rabbit.port),
        page: at(port),
        nothing: at(1),
        slow: at(line.port, { timeout: '1s' }),
      });
      expect(await others.refused('amqp', 'list_queues')).toMatch(/does not answer in HTTP.*port 15672.*modules\.amqp/);
      expect(await others.refused('page', 'list_queues')).toMatch(/something else than its API/);
      expect(await others.refused('nothing', 'list_queues')).toMatch(/rabbitmq-plugins enable rabbitmq_management/);
      expect(await others.refused('slow', 'list_queues')).toMatch(/took longer than 1 s/);
      line.mend();
      expect(await others.read('slow', 'list_queues')).toMatchObject({ queues: expect.any(Array) });
    });

    test('a section without a URL says how to write one', async () => {
      await expect(moduleClient({ rabbitmq: {} })).rejects.toThrow(/says nowhere where RabbitMQ is/);
      await using named = await moduleClient(
        { rabbitmq: {} },
        {
          env: {
            RABBITMQ_URL: 'amqp://guest:guest@127.0.0.1/',
            RABBITMQ_MANAGEMENT_URL: `http://127.0.0.1:${rabbit.managementPort}`,
          },
        },
      );
      expect(await named.read('rabbitmq', 'get_overview')).toMatchObject({ vhost: '/' });
    });

    test('killed in mid-call and back, with its durable queues', async () => {
      await declare('orders');
      await using line = await lineTo(rabbit.managementPort);
      const managementUrl = `http://guest:guest@127.0.0.1:${line.port}`;
      await using other = await moduleClient({ rabbitmq: { managementUrl, mode: 'read-write' } });
      await other.read('rabbitmq', 'get_overview');
      // The call is on its way and gets no answer until the broker is dead.
      line.freeze();
      const publishing = other.refused('rabbitmq', 'publish_message', { routing_key: 'orders', payload: 'x' });
      await rabbit.kill();
      line.cut();
      expect(await publishing).toMatch(/may or may not have taken effect/);
      expect(await other.refused('rabbitmq', 'list_queues')).toMatch(/closed the connection|cannot be reached/);
      expect(other.health('rabbitmq')).toMatchObject({ state: 'failing' });
      await rabbit.start();
      line.mend();
      const { queues } = await other.read<Queues>('rabbitmq', 'list_queues', { pattern: 'orders' });
      expect(queues).toMatchObject([{ name: 'orders' }]);
      expect(other.health('rabbitmq')).toMatchObject({ state: 'ready' });
    }, 90_000);
  });
});

/** A connection that speaks as much AMQP as it takes to be open. */
async function amqp(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  let received = Buffer.alloc(0);
  const frame = async (): Promise<Buffer> => {
    while (received.length < 7 || received.length < 8 + received.readUInt32BE(3)) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      received = Buffer.concat([received, chunk]);
    }
    const end = 8 + received.readUInt32BE(3);
    const first = received.subarray(0, end);
    received = received.subarray(end);
    return first;
  };
  const method = (classId: number, methodId: number, ...parts: Buffer[]) => {
    const payload = Buffer.concat([Buffer.from([0, classId, 0, methodId]), ...parts]);
    const head = Buffer.alloc(7);
    head.writeUInt8(1);
    head.writeUInt32BE(payload.length, 3);
    socket.write(Buffer.concat([head, payload, Buffer.from([0xce])]));
  };
  const short = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
  const long = (text: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text)]);
  };
  socket.write(Buffer.from('AMQP\u0000\u0000\u0009\u0001', 'latin1'));
  await frame();
  method(10, 11, Buffer.alloc(4), short('PLAIN'), long('\u0000guest\u0000guest'), short('en_US'));
  const tune = await frame();
  method(10, 31, tune.subarray(11, 17), Buffer.from([0, 0]));
  method(10, 40, short('/'), short(''), Buffer.from([0]));
  await frame();
  socket.on('data', (data: Buffer) => {
    const [, classId, , methodId] = data.subarray(7);
    if (classId === 10 && methodId === 50) method(10, 51);
  });
  return socket;
}
