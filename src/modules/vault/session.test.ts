import { expect, test, vi } from 'vitest';
import { HttpError } from '../http.ts';
import type { Issued, Login, Send } from './login.ts';
import { createSession } from './session.ts';

const refusal = (...errors: string[]) => new HttpError(403, JSON.stringify({ errors }), {});

function scene({ repeatable = true, ttl = 100, renewable = true } = {}) {
  let clock = 0;
  const logIn = vi.fn<Login['logIn']>(
    async (): Promise<Issued> => ({ token: `t${logIn.mock.calls.length}`, ttl, renewable }),
  );
  const requests: string[] = [];
  let answer: (path: string) => unknown = () => ({
    auth: { client_token: 'same', lease_duration: ttl, renewable },
  });
  const send: Send = async (type, path) => {
    requests.push(path.join('/'));
    return type.parse(answer(path.join('/')));
  };
  const issued = vi.fn<(token: string) => void>();
  const session = createSession({ setting: 'appRole', repeatable, logIn }, issued, () => clock * 1000);
  return {
    session,
    send,
    logIn,
    requests,
    issued,
    at(seconds: number) {
      clock = seconds;
    },
    answers(next: (path: string) => unknown) {
      answer = next;
    },
  };
}

test('logs in once, whoever asks', async () => {
  const { session, send, logIn, issued } = scene();
  expect(await Promise.all([session.token(send), session.token(send)])).toEqual(['t1', 't1']);
  expect(logIn).toHaveBeenCalledTimes(1);
  expect(issued).toHaveBeenCalledWith('t1');
});

test('renews at half of the life, and counts it anew', async () => {
  const { session, send, requests, at } = scene();
  await session.token(send);
  at(49);
  await session.token(send);
  expect(requests).toEqual([]);
  at(51);
  expect(await session.token(send)).toBe('t1');
  expect(requests).toEqual(['auth/token/renew-self']);
  at(100);
  await session.token(send);
  expect(requests).toHaveLength(1);
  at(102);
  await session.token(send);
  expect(requests).toHaveLength(2);
});

test('uses a token to its end if it cannot be renewed, and then logs in', async () => {
  const { session, send, logIn, requests, at, answers } = scene();
  await session.token(send);
  answers(() => {
    throw new HttpError(400, '{"errors":["lease is not renewable"]}', {});
  });
  at(60);
  expect(await session.token(send)).toBe('t1');
  at(70);
  await session.token(send);
  expect(requests).toHaveLength(1);
  at(101);
  expect(await session.token(send)).toBe('t2');
  expect(logIn).toHaveBeenCalledTimes(2);
});

test('tries a renewal again that failed for a reason that may pass', async () => {
  const { session, send, requests, at, answers } = scene();
  await session.token(send);
  answers(() => {
    throw new HttpError(503, '{"errors":["Vault is sealed"]}', {});
  });
  at(60);
  expect(await session.token(send)).toBe('t1');
  at(65);
  await session.token(send);
  expect(requests).toHaveLength(1);
  at(71);
  await session.token(send);
  expect(requests).toHaveLength(2);
});

test('a token that is not renewable', async () => {
  const { session, send, requests, at } = scene({ renewable: false });
  await session.token(send);
  at(60);
  await session.token(send);
  expect(requests).toEqual([]);
});

test('after a refusal, asks whether the token is still known', async () => {
  const { session, send, requests, answers } = scene();
  await session.token(send);
  answers(() => ({}));
  expect(await session.afterRefusal('t1', refusal('permission denied'), send)).toBe('not_allowed');
  expect(requests).toEqual(['auth/token/lookup-self']);
  answers(() => {
    throw refusal('permission denied');
  });
  expect(await session.afterRefusal('t1', refusal('permission denied'), send)).toBe('retry');
  // Somebody else has logged in by now.
  expect(await session.afterRefusal('t1', refusal('permission denied'), send)).toBe('retry');
  expect(await session.token(send)).toBe('t2');
});

test('a token of the settings is not replaced', async () => {
  const { session, send, logIn } = scene({ repeatable: false });
  await session.token(send);
  expect(await session.afterRefusal('t1', refusal('permission denied', 'invalid token'), send)).toBe('unknown_token');
  expect(logIn).toHaveBeenCalledTimes(1);
});
