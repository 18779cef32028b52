import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { AppError, toAppError } from '../kernel/errors.ts';
import { failureAt } from '../kernel/unreachable.ts';
import { type Http, httpTo } from './http.ts';
import { keptConnection } from './kept-connection.ts';
import { noteChange, noteConnecting } from './sent.ts';

const MAYBE = 'The call may or may not have taken effect: check before you repeat it.';
const NOTHING = 'Nothing was changed, so you can repeat the call.';

/** The error of a call that changes something. */
async function failure(base: string, work: (http: Http, signal: AbortSignal) => Promise<unknown>, repeatable = false) {
  const connection = keptConnection<Http>({
    at: 'shop at here',
    setting: 'modules.shop',
    timeoutMs: 600,
    connect: async () => httpTo({ base }),
    explain: (error) => failureAt('shop at here', 'modules.shop', error) ?? toAppError(error),
    settled: () => {},
  });
  try {
    const call = connection.use(work, { signal: new AbortController().signal, repeatable });
    const error = await call.then(() => undefined).catch((thrown: unknown) => thrown);
    return error as AppError;
  } finally {
    await connection[Symbol.asyncDispose]();
  }
}

async function open(server: Server): Promise<AsyncDisposable & { readonly port: number }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const http = (answer: RequestListener) => open(createServer(answer));
const post = (http: Http, signal: AbortSignal, path = '/x') => http.text(path, { method: 'POST', body: {}, signal });

/** Nothing listens on port 1. */
test.each(['http://127.0.0.1:1', 'https://127.0.0.1:1', 'http://nowhere.invalid'])(
  'no connection to %s: nothing was sent',
  async (base) => {
    const { message, data } = await failure(base, post);
    expect(message).toContain(NOTHING);
    expect(data).toEqual({ notExecuted: true });
    const read = await failure(base, post, true);
    expect(read.message).not.toContain(NOTHING);
  },
);

test('TLS that fails, and TLS that is never answered: nothing was sent', async () => {
  await using plain = await http((_, response) => response.end());
  const base = `https://127.0.0.1:${plain.port}`;
  expect(await failure(base, post)).toMatchObject({ code: 'unavailable', data: { notExecuted: true } });
  await using silent = await open(createPlainServer(() => {}));
  const late = await failure(`https://127.0.0.1:${silent.port}`, post);
  expect(late).toMatchObject({ code: 'timeout', data: { notExecuted: true } });
  expect(late.message).toContain(NOTHING);
});

test('a request that got no answer may have taken effect', async () => {
  await using silent = await http(() => {});
  const base = `http://127.0.0.1:${silent.port}`;
  expect((await failure(base, post)).message).toContain(MAYBE);
  await using cutting = await http(({ socket }) => socket.destroy());
  const { message, data } = await failure(`http://127.0.0.1:${cutting.port}`, post);
  expect(message).toContain(MAYBE);
  expect(data).toBeUndefined();
});

test('a call that only read before it failed changed nothing', async () => {
  await using server = await http((request, response) => {
    if (request.url === '/first') response.end('ok');
    else request.socket.destroy();
  });
  const base = `http://127.0.0.1:${server.port}`;
  const get = (shop: Http, signal: AbortSignal, path: string) => shop.text(path, { signal });
  const reading = await failure(base, async (shop, signal) => {
    await get(shop, signal, '/first');
    await get(shop, signal, '/second');
    await post(shop, signal);
  });
  expect(reading.message).toContain(NOTHING);
  const writing = await failure(base, async (shop, signal) => {
    await post(shop, signal, '/first');
    await get(shop, signal, '/second');
  });
  expect(writing.message).toContain(MAYBE);
});

test('a connection that is used again counts as well', async () => {
  let asked = 0;
  await using server = await http((request, response) => {
    asked += 1;
    if (asked === 1) response.end('ok');
    else request.socket.destroy();
  });
  const { message } = await failure(`http://127.0.0.1:${server.port}`, async (shop, signal) => {
    await shop.text('/', { signal });
    await post(shop, signal);
  });
  expect(message).toContain(MAYBE);
});

test('drivers that say nothing, or that they sent a change, may have changed something', async () => {
  const lost = () => Promise.reject(new AppError('unavailable', 'It broke.'));
  expect((await failure('http://127.0.0.1:1', lost)).message).toContain(MAYBE);
  const socket = async (shop: Http, signal: AbortSignal) => {
    noteChange();
    await shop.text('/', { signal });
  };
  expect((await failure('http://127.0.0.1:1', socket)).message).toContain(MAYBE);
});

test('a driver with a pool says when it has a connection', async () => {
  const away = () => Promise.reject(new AppError('unavailable', 'It is away.'));
  expect((await failure('http://127.0.0.1:1', () => noteConnecting(away))).message).toContain(NOTHING);
  const secondTry = async () => {
    await noteConnecting(async () => {});
    await noteConnecting(away);
  };
  expect((await failure('http://127.0.0.1:1', secondTry)).message).toContain(MAYBE);
});

test('a connection that never opened sent nothing', async () => {
  const connection = keptConnection<Http>({
    at: 'shop at here',
    setting: 'modules.shop',
    timeoutMs: 600,
    connect: () => Promise.reject(new AppError('unavailable', 'It is away.')),
    explain: toAppError,
    settled: () => {},
  });
  const call = connection.use(async () => {}, { signal: new AbortController().signal, repeatable: false });
  await expect(call).rejects.toMatchObject({ message: `It is away. ${NOTHING}`, data: { notExecuted: true } });
  await connection[Symbol.asyncDispose]();
});
