import { expect, test } from 'vitest';
import { endpointOf } from './endpoint.ts';
import { problemsIn, rabbitmqSettings } from './settings.ts';

test.each([
  [{ url: 'amqp://ada:s%40fe@mq:5672/shop' }, ['http://mq:15672', 'ada', 's@fe', 'shop']],
  [{ url: 'amqps://ada:pw@mq' }, ['https://mq:15671', 'ada', 'pw', '/']],
  [{ url: 'amqp://mq/' }, ['http://mq:15672', 'guest', 'guest', '/']],
  [{ url: 'amqp://mq/%2Fa%2Fb' }, ['http://mq:15672', 'guest', 'guest', '/a/b']],
  [{ url: 'amqp://[::1]:5673/x' }, ['http://[::1]:15672', 'guest', 'guest', 'x']],
  [{ managementUrl: 'http://bob:pw@mq:8080/rabbit/api/' }, ['http://mq:8080/rabbit', 'bob', 'pw', '/']],
  [{ url: 'amqp://ada:pw@mq/shop', managementUrl: 'https://mq.example' }, ['https://mq.example', 'ada', 'pw', 'shop']],
  [{ url: 'amqp://ada:pw@mq/shop', managementUrl: 'http://bob:x@mq:1' }, ['http://mq:1', 'bob', 'x', 'shop']],
  [{ url: 'amqp://mq/shop', vhost: 'other' }, ['http://mq:15672', 'guest', 'guest', 'other']],
])('%o', (given, [base, user, password, vhost]) => {
  expect(endpointOf(rabbitmqSettings.parse(given))).toEqual({ base, user, password, vhost });
});

test.each(['redis://mq', 'mq:5672', 'amqp://', 'amqp://a:50%@mq', 'amqp://mq/%zz'])('refuses %s', (url) => {
  expect(rabbitmqSettings.safeParse({ url }).success).toBe(false);
});

test('one of the two URLs is needed', () => {
  expect(problemsIn({})[0]?.fix).toMatch(/url: amqp.*managementUrl: http.*RABBITMQ_URL/);
  expect(problemsIn({ managementUrl: 'http://mq:15672' })).toEqual([]);
});
