import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { explain } from './explain.ts';

const json = { 'content-type': 'application/json' };
const said = (status: number, reason: unknown, headers: Record<string, string> = json) =>
  explain(new HttpError(status, JSON.stringify({ error: 'some_error', reason }), headers), 'rabbitmq at mq:15672');

test.each([
  [401, 'Login failed', 'unavailable', /refuses the user or the password.*modules\.rabbitmq\.url/],
  [401, 'User can only log in via localhost', 'unavailable', /own machine only.*Create another user/],
  [401, 'Not management user', 'unavailable', /set_user_tags USER management/],
  [401, 'Not monitor user', 'forbidden', /set_user_tags USER monitoring/],
  [403, 'Not administrator user', 'forbidden', /set_user_tags USER administrator/],
  [401, 'User not authorised to access virtual host', 'forbidden', /into this vhost.*rabbitmq_list_vhosts/],
  [401, 'Access refused.', 'forbidden', /begin with amq\./],
  [403, 'Something new', 'forbidden', /Something new\./],
  [404, 'Not Found', 'not_found', /list tools/],
  [400, "404 NOT_FOUND - no exchange 'x' in vhost '/'", 'not_found', /no exchange 'x'/],
  [400, "inequivalent arg 'durable' for queue 'q'", 'conflict', /there already with other properties/],
  [400, "queue 'q' in vhost '/' not empty", 'conflict', /Nothing was deleted/],
  [400, ['not_int', 'delivery_mode'], 'invalid_input', /\["not_int","delivery_mode"\]/],
  [405, 'Stats in management UI are disabled on this node', 'unsupported', /settings leave it out/],
  [500, 'Internal Server Error', 'unavailable', /Its log says more/],
] as const)('%i %s', (status, reason, code, message) => {
  const error = said(status, reason);
  expect(error?.code).toBe(code);
  expect(error?.message).toMatch(message);
});

test('an answer of something else than RabbitMQ', () => {
  const page = (status: number) =>
    explain(new HttpError(status, '<html>nginx</html>', { 'content-type': 'text/html' }), 'rabbitmq at mq:80');
  expect(page(404)?.message).toMatch(/is not RabbitMQ's API.*port 15672.*managementUrl/);
  expect(page(502)?.message).toMatch(/behind a proxy that answered 502/);
});

test('an answer in AMQP, and none', () => {
  const failed = (code: string) => explain(Object.assign(new Error('raw'), { code }), 'rabbitmq at mq:5672')?.message;
  expect(failed('HPE_INVALID_CONSTANT')).toMatch(/does not answer in HTTP.*not to AMQP/);
  expect(failed('ECONNREFUSED')).toMatch(/rabbitmq-plugins enable rabbitmq_management/);
  expect(failed('ENOTFOUND')).toBeUndefined();
  expect(explain(new Error('a bug'), 'rabbitmq at mq:1')).toBeUndefined();
});
