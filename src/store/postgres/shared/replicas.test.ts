import { expect, test } from 'vitest';
import type { Database } from '../connection.ts';
import type { ReplicaRow } from './look.ts';
import { createReplicas } from './replicas.ts';

const row = (url: string | null): ReplicaRow => ({
  id: 'other',
  url,
  host: 'h',
  pid: 1,
  version: '1.0.0',
  started_ms: 0,
  seen_ms: 0,
  skew_ms: 0,
  draining: false,
  report: '{"state":"ok","problems":[],"sessions":0,"tools":0}',
});

test('a replica that was seen before it said where it is is looked up again', async () => {
  const asked: unknown[] = [];
  const database = {
    async rows(_: string, values: unknown[]) {
      asked.push(...values);
      return [row('http://10.0.0.2:3500')];
    },
  } as unknown as Database;
  const replicas = createReplicas(database, { id: 'self', version: '1.0.0', leads: () => [] });
  replicas.seen({ replicas: [row(null)], leases: {}, at: performance.now(), skewMs: 0 } as never);
  expect((await replicas.find('other'))?.url).toBe('http://10.0.0.2:3500');
  expect((await replicas.find('other'))?.url).toBe('http://10.0.0.2:3500');
  expect(asked).toEqual(['other']);
});
