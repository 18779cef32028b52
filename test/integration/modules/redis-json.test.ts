import { describe, expect, test } from 'vitest';
import { jsonAnswers, startRedisStub } from '../../fixtures/redis-stub.ts';
import { moduleClient } from '../../support/module-client.ts';

/** A real server with JSON, such as Redis 8: TEST_REDIS_JSON_URL=redis://… The test deletes the key tour:json. */
const given = process.env.TEST_REDIS_JSON_URL;

describe('redis with JSON', () => {
  test('documents are stored, read whole and in part, changed and deleted', async () => {
    await using stub = await startRedisStub(jsonAnswers(new Map()));
    await using client = await moduleClient({ redis: { url: given ?? stub.url, mode: 'read-write' } });
    const key = 'tour:json';
    const value = { name: 'Ada', tags: ['a', 'b'] };
    expect(await client.call('redis', 'redis_set_json', { key, value, ttl: 60 })).toEqual({ key, stored: true });
    await client.call('redis', 'redis_set_json', { key, path: '$.age', value: 36 });
    const whole = await client.read<{ value: string }>('redis', 'redis_get_json', { key });
    expect(JSON.parse(whole.value)).toEqual([{ ...value, age: 36 }]);
    const part = await client.read<{ value: string }>('redis', 'redis_get_json', { key, path: '$.tags' });
    expect(JSON.parse(part.value)).toEqual([['a', 'b']]);
    const any = await client.read<{ value: string }>('redis', 'redis_get_key', { key });
    expect(JSON.parse(any.value)).toEqual([{ ...value, age: 36 }]);
    expect(any).not.toHaveProperty('more');
    const { question, result } = await client.confirmed('redis', 'redis_delete_json', { key, path: '$.tags' });
    expect(question).toContain('Deletes $.tags of the JSON document tour:json');
    expect(result).toEqual({ key, deleted: 1 });
    expect(await client.refused('redis', 'redis_get_json', { key, path: 'NOESCAPE' })).toContain('JSONPath');
    await client.confirmed('redis', 'redis_delete_json', { key, path: '$' });
    expect(await client.refused('redis', 'redis_get_json', { key })).toContain('no key');
  });

  test('a huge document is not fetched: its keys are named instead', async () => {
    const huge = { texts: 'x'.repeat(3_000_000), small: 1 };
    await using stub = await startRedisStub(jsonAnswers(new Map([['doc', huge]])));
    await using client = await moduleClient({ redis: { url: stub.url } });
    const reason = await client.refused('redis', 'redis_get_json', { key: 'doc' });
    expect(reason).toContain('about 2930 KB');
    expect(reason).toContain('texts, small');
    expect(stub.commands.map(([name]) => name)).not.toContain('JSON.GET');
    expect(await client.read('redis', 'redis_get_json', { key: 'doc', path: '$.small' })).toMatchObject({
      value: '[1]',
    });
  });

  test('a long document is read part by part', async () => {
    const long = { text: 'y'.repeat(9000) };
    await using stub = await startRedisStub(jsonAnswers(new Map([['doc', long]])));
    await using client = await moduleClient({ redis: { url: stub.url } });
    let text = '';
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const page: { value: string; next_offset?: number } = await client.read('redis', 'redis_get_json', {
        key: 'doc',
        offset,
      });
      text += page.value;
      offset = page.next_offset;
    }
    expect(JSON.parse(text)).toEqual([long]);
  });
});

describe('redis in a state of its own', () => {
  test.each([
    ['MOVED 3999 10.0.0.7:6381', /one node of a cluster.*10\.0\.0\.7:6381/],
    ['LOADING Redis is loading the dataset in memory', /still loads its data/],
    ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", /lost its primary/],
    ['CLUSTERDOWN The cluster is down', /cluster/],
  ])('%s', async (said, message) => {
    await using stub = await startRedisStub(() => new Error(said));
    await using client = await moduleClient({ redis: { url: stub.url } });
    expect(await client.refused('redis', 'redis_get_key', { key: 'a' })).toMatch(message);
  });

  test('answers of another shape are an error, not a surprise', async () => {
    for (const answer of [null, 'text', ['a', ['b']], []] as const) {
      await using stub = await startRedisStub(() => answer);
      await using client = await moduleClient({ redis: { url: stub.url } });
      const tools = ['redis_scan_keys', 'redis_get_database_size', 'redis_get_slow_log', 'redis_count_keys'];
      const refusals = await Promise.all(
        tools.map((tool) => client.read('redis', tool).then(String, (error: Error) => error.message)),
      );
      for (const said of refusals) expect(said).not.toContain('Unexpected');
    }
  });
});
