import { expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { loginNeeded } from '../wire/credentials.ts';
import { adviceFor } from './advice.ts';

const answered = (status: number) => new AppError('unavailable', 'said no', { data: { status } });
const failed = (code: string) =>
  new AppError('unavailable', 'failed', { cause: Object.assign(new Error('why'), { code }) });
const wrapped = (cause: AppError) => new AppError(cause.code, 'health checks fail', { cause });
const silent = new AppError('timeout', 'silent');

test.each([
  ['http', 'HTTP 401', answered(401), /token in its "headers"/],
  ['sse', 'HTTP 404', answered(404), /path of its "url"/],
  ['http', 'ECONNREFUSED', failed('ECONNREFUSED'), /Start that server/],
  ['http', 'ECONNREFUSED inside another error', wrapped(failed('ECONNREFUSED')), /Start that server/],
  ['sse', 'ENOTFOUND', failed('ENOTFOUND'), /host name/],
  ['http', 'a self-signed certificate', failed('DEPTH_ZERO_SELF_SIGNED_CERT'), /NODE_EXTRA_CA_CERTS/],
  ['http', 'silence', silent, /"timeout"/],
  ['http', 'anything else', new AppError('unavailable', 'no 401, no ECONNREFUSED'), /curl/],
  ['http', 'a login', loginNeeded('It needs a login.', 'Sign in.'), undefined],
  ['stdio', 'no such command', failed('ENOENT'), undefined],
  ['stdio', 'no permission', failed('EACCES'), undefined],
  ['stdio', 'silence', silent, /speak MCP on stdin/],
  ['stdio', 'no such package', failed('PACKAGE_NOT_FOUND'), /package name/],
  ['stdio', 'a missing setting', failed('SETTING_MISSING'), /in its "env"/],
  ['stdio', 'anything else', new AppError('unavailable', 'npm silent TOKEN'), /by hand to see why/],
] as const)('%s: %s', (transport, _, error, advice) => {
  const given = adviceFor(transport, error);
  if (advice === undefined) expect(given).toBeUndefined();
  else expect(given).toMatch(advice);
});
