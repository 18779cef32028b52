import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { type ConnectionOptions, keptConnection } from './kept-connection.ts';

interface Line extends AsyncDisposable {
  readonly number: number;
  closed: boolean;
}

const lost = () => new AppError('unavailable', 'It closed the connection.');

function lines(more: Partial<ConnectionOptions<Line>> = {}) {
  const opened: Line[] = [];
  const settled = vi.fn<ConnectionOptions<Line>['settled']>();
  const connection = keptConnection<Line>({
    at: 'shop at here',
    setting: 'modules.shop',
    timeoutMs: 5000,
    async connect() {
      const line: Line = {
        number: opened.length + 1,
        closed: false,
        async [Symbol.asyncDispose]() {
          line.closed = true;
        },
      };
      opened.push(line);
      return line;
    },
    explain: (error) => (error instanceof AppError ? error : new AppError('internal', String(error))),
    settled,
    ...more,
  });
  return { connection, opened, settled };
}

const reading = () => ({ signal: new AbortController().signal, repeatable: true });
const writing = () => ({ signal: new AbortController().signal, repeatable: false });

test('opens one connection for all, when the first needs it', async () => {
  const { connection, opened } = lines();
  expect(opened).toEqual([]);
  const used = await Promise.all([1, 2, 3].map(() => connection.use(async ({ number }) => number, reading())));
  expect(used).toEqual([1, 1, 1]);
  await connection[Symbol.asyncDispose]();
  expect(opened).toMatchObject([{ closed: true }]);
});

test('a connection that broke while it waited is replaced, and a read repeated', async () => {
  const { connection, opened, settled } = lines();
  await connection.use(async () => {}, reading());
  const number = await connection.use(async (line) => {
    if (line.number === 1) throw lost();
    return line.number;
  }, reading());
  expect(number).toBe(2);
  await setImmediate();
  expect(opened).toMatchObject([{ closed: true }, { closed: false }]);
  expect(settled).toHaveBeenLastCalledWith(undefined);
  await connection[Symbol.asyncDispose]();
});

test('a write is not repeated, and the error says that it may have happened', async () => {
  const { connection } = lines();
  await connection.use(async () => {}, writing());
  let runs = 0;
  const call = connection.use(async () => {
    runs += 1;
    throw lost();
  }, writing());
  await expect(call).rejects.toThrow(
    'It closed the connection. The call may or may not have taken effect: check before you repeat it.',
  );
  expect(runs).toBe(1);
  expect(await connection.use(async ({ number }) => number, writing())).toBe(2);
  await connection[Symbol.asyncDispose]();
});

test('a mistake of the caller keeps the connection', async () => {
  const { connection, opened, settled } = lines();
  const call = connection.use(() => Promise.reject(new AppError('not_found', 'No such key.')), reading());
  await expect(call).rejects.toThrow('No such key.');
  expect(settled).toHaveBeenLastCalledWith(undefined);
  await connection.use(async () => {}, reading());
  expect(opened).toHaveLength(1);
  await connection[Symbol.asyncDispose]();
});

test('work that ignores its signal ends in time, and its connection is left to it', async () => {
  const { connection, opened, settled } = lines({ timeoutMs: 20 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const call = connection.use(() => promise, reading());
  await expect(call).rejects.toThrow(
    'shop at here took longer than 0.02 s, and the call was stopped. Ask for less, or raise modules.shop.timeout.',
  );
  expect(settled).toHaveBeenLastCalledWith(expect.objectContaining({ code: 'timeout' }));
  resolve();
  await connection[Symbol.asyncDispose]();
  expect(opened).toMatchObject([{ closed: true }]);
});

test('others go on with a connection that is replaced', async () => {
  const { connection, opened } = lines();
  const { promise, resolve } = Promise.withResolvers<void>();
  const long = connection.use(async (line) => {
    await promise;
    return line.closed;
  }, reading());
  await expect(connection.use(() => Promise.reject(lost()), writing())).rejects.toThrow('It closed the connection.');
  expect(await connection.use(async ({ number }) => number, reading())).toBe(2);
  resolve();
  expect(await long).toBe(false);
  await setImmediate();
  expect(opened).toMatchObject([{ closed: true }, { closed: false }]);
  await connection[Symbol.asyncDispose]();
});

test('a caller who gives up does not break the connection for others', async () => {
  const { connection, opened, settled } = lines();
  const caller = new AbortController();
  const call = connection.use(() => new Promise(() => {}), { signal: caller.signal, repeatable: true });
  caller.abort(new AppError('cancelled', 'Cancelled.'));
  await expect(call).rejects.toThrow('Cancelled.');
  expect(settled).not.toHaveBeenCalled();
  await connection.use(async () => {}, reading());
  expect(opened).toHaveLength(1);
});

test('each call tries again while connecting fails', async () => {
  let tries = 0;
  const { connection, settled } = lines({
    connect() {
      tries += 1;
      return Promise.reject(lost());
    },
  });
  for (let n = 1; n <= 2; n++) {
    await expect(connection.use(async () => {}, writing())).rejects.toThrow(
      'It closed the connection. Nothing was changed, so you can repeat the call.',
    );
    expect(tries).toBe(n);
  }
  expect(settled).toHaveBeenLastCalledWith(expect.objectContaining({ code: 'unavailable' }));
});

test('an idle connection is closed', async () => {
  const { connection, opened } = lines({ idleMs: 1 });
  await connection.use(async () => {}, reading());
  await vi.waitFor(() => expect(opened).toMatchObject([{ closed: true }]));
  expect(await connection.use(async ({ number }) => number, reading())).toBe(2);
});

test('one that did not open is opened by the next call, whatever the reason was', async () => {
  let attempts = 0;
  const connect = async (): Promise<Line> => {
    attempts += 1;
    if (attempts === 1) throw new AppError('rate_limited', 'Too many logins.');
    return { number: attempts, closed: false, async [Symbol.asyncDispose]() {} };
  };
  const { connection, settled } = lines({ connect });
  await expect(connection.use(async () => {}, writing())).rejects.toThrow(/^Too many logins\.$/);
  expect(settled).toHaveBeenLastCalledWith(expect.objectContaining({ code: 'rate_limited' }));
  expect(await connection.use(async ({ number }) => number, writing())).toBe(2);
});
