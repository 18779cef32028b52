import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { foreign } from './foreign.ts';

const around = {
  base: 'https://ghe.example.com/api/v3',
  at: 'github at ghe.example.com',
  tls: undefined,
  signal: new AbortController().signal,
};
const to = (location: string) => foreign(new HttpError(302, '', { location }), around);

test('a redirect within the API is left to others', async () => {
  expect(await to('https://ghe.example.com/api/v3/repositories/7')).toBeUndefined();
  expect(await foreign(new HttpError(302, '', {}), around)).toBeUndefined();
});

test('nothing is fetched without TLS, and no signed URL is named', async () => {
  await expect(to('http://storage.example.com/file?sig=secret')).rejects.toThrow(
    /^github at ghe\.example\.com redirects to an address without TLS, which is not followed\.$/,
  );
  await expect(to('file:///etc/passwd')).rejects.toThrow('without TLS');
});
