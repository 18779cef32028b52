import { expect, test } from 'vitest';
import type { z } from 'zod';
import { allowed } from '../../allowed.ts';
import { HttpError } from '../../http.ts';
import type { RabbitMq } from '../connection.ts';
import { examine } from './examine.ts';

const json = { 'content-type': 'application/json' };
const failed = {
  status: 'failed',
  reason: 'There are alarms in effect in the cluster',
  alarms: [{ resource: 'disk' }],
};
const refused = { error: 'not_authorised', reason: 'Not monitor user' };

/** Answers by path; an error is thrown. */
function broker(answers: Readonly<Record<string, unknown>>): RabbitMq {
  const all = allowed(undefined, 'name', 'modules.rabbitmq');
  const known = new Map(Object.entries(answers));
  return {
    vhost: '/',
    isReadOnly: true,
    vhosts: allowed(['/'], 'vhost', 'modules.rabbitmq.vhosts'),
    queues: all,
    exchanges: all,
    writableExchanges: all,
    globs: {},
    async get<T>(type: z.ZodType<T>, path: readonly string[]) {
      const answer = known.get(path.join('/')) ?? { status: 'ok' };
      if (answer instanceof Error) throw answer;
      return type.parse(answer);
    },
    send: () => Promise.reject(new Error('A check changes nothing.')),
    async [Symbol.asyncDispose]() {},
  };
}

const queues = {
  filtered_count: 2,
  items: [
    { name: 'dead', vhost: '/', messages_ready: 3, consumers: 0 },
    { name: 'elsewhere', vhost: 'other', messages_ready: 3, consumers: 0 },
  ],
};

test('a failed check of the broker is a finding, and what the user may not see is left out', async () => {
  const rabbit = broker({
    overview: { listeners: [{ protocol: 'amqp', port: 5672 }] },
    nodes: new HttpError(401, JSON.stringify(refused), json),
    queues,
    'health/checks/alarms': new HttpError(503, JSON.stringify(failed), json),
  });
  const { findings, checked, skipped } = await examine(rabbit, new AbortController().signal);
  expect(findings).toEqual([
    expect.objectContaining({ severity: 'critical', problem: expect.stringContaining('There are alarms in effect') }),
    expect.objectContaining({ severity: 'info', where: 'queue dead' }),
  ]);
  expect(checked).toEqual(['alarms', 'listeners', 'queues', 'quorum', 'vhosts']);
  expect(skipped).toEqual([expect.stringMatching(/^nodes: .*set_user_tags USER monitoring/)]);
});

test('a broker that fails has no verdict', async () => {
  const rabbit = broker({ overview: {}, nodes: [], queues, 'health/checks/alarms': new HttpError(502, '<html>', {}) });
  await expect(examine(rabbit, new AbortController().signal)).rejects.toThrow('502');
});
