import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GraphEngine } from '../../../src/graph/engine.ts';
import { connectNeo4j, type Neo4j } from '../../../src/graph/neo4j/connection.ts';
import { neo4jEngine } from '../../../src/graph/neo4j/engine.ts';
import { toAppError } from '../../../src/kernel/errors.ts';
import { lineTo } from '../../support/cut-line.ts';
import { giantLineTo } from '../../support/giant-line.ts';
import { isRealNeo4j, neo4jIsMissing, startNeo4j, type TestNeo4j } from '../../support/neo4j.ts';

const by = { principal: 'ana' };
const READING = { asOf: 'any', observations: 10, relations: 10 } as const;

describe.skipIf(neo4jIsMissing)('Neo4j that fails', () => {
  let server: TestNeo4j;
  let neo4j: Neo4j;
  let graph: GraphEngine;
  let warned: string[];
  beforeAll(async () => {
    server = await startNeo4j();
  });
  beforeEach(async () => {
    await server.empty();
    warned = [];
    neo4j = connectNeo4j(server);
    graph = neo4jEngine(neo4j, (line) => warned.push(line));
  });
  afterEach(async () => {
    for (const trouble of ['beforeRun', 'failNext', 'schemaIsForbidden'] as const) delete server.troubles[trouble];
    await graph[Symbol.asyncDispose]();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const failure = async (work: Promise<unknown>) =>
    toAppError(
      await work.then(
        () => 'It succeeded.',
        (error: unknown) => error,
      ),
    );
  const names = async () => (await graph.heads({ asOf: 'any', limit: 100 })).items.map(({ name }) => name);

  test('a message without an end: is refused before it is held, and the next call works', async () => {
    await using line = await giantLineTo(server.port);
    const behind = neo4jEngine(connectNeo4j({ ...server, url: `bolt://127.0.0.1:${line.port}` }), () => {});
    try {
      await behind.create([{ name: 'Ada', type: 'person' }], by);
      {
        using flood = line.flood({
          begin: () => Buffer.alloc(0),
          repeat: Buffer.alloc(2 + 0xff_ff, 0xff),
          // Handshakes are answered properly.
          replaces: ({ length }) => length !== 4,
        });
        const { code, message } = await failure(behind.open(['Ada'], READING));
        expect([code, message]).toEqual(['too_large', expect.stringContaining('more than 16 MB')]);
        expect(await flood.sent).toBeLessThan(32 * 1024 * 1024);
      }
      expect((await behind.open(['Ada'], READING)).entities).toHaveLength(1);
    } finally {
      await behind[Symbol.asyncDispose]();
    }
  });

  test('away: says where and what to do; when it is back, the next call works', async () => {
    await using line = await lineTo(server.port);
    const behind = neo4jEngine(connectNeo4j({ ...server, url: `bolt://127.0.0.1:${line.port}` }), () => {});
    try {
      await behind.create([{ name: 'Ada', type: 'person' }], by);
      line.cut();
      const before = Date.now();
      for (const work of [
        () => behind.open(['Ada'], READING),
        () => behind.create([{ name: 'Bob', type: 'person' }], by),
      ]) {
        const { code, message } = await failure(work());
        expect([code, message]).toEqual(['unavailable', expect.stringContaining(`Neo4j at 127.0.0.1:${line.port}`)]);
        expect(message).toContain('sluice.yaml');
      }
      expect(Date.now() - before).toBeLessThan(5000);
      line.mend();
      expect((await behind.open(['Ada'], READING)).entities).toHaveLength(1);
      await behind.create([{ name: 'Bob', type: 'person' }], by);
      expect(await names()).toEqual(['Ada', 'Bob']);
    } finally {
      await behind[Symbol.asyncDispose]();
    }
  });

  test('a host that does not exist: the same', async () => {
    await using nowhere = neo4jEngine(connectNeo4j({ ...server, url: 'neo4j://neo4j.invalid:7687' }), () => {});
    const { code, message } = await failure(nowhere.stats('any'));
    expect([code, message]).toEqual(['unavailable', expect.stringContaining('neo4j.invalid:7687')]);
  });

  test('a wrong password is named, and never shown', async () => {
    const password = 'not the right one';
    await using refused = neo4jEngine(connectNeo4j({ ...server, password }), () => {});
    const error = await failure(refused.stats('any'));
    expect(error.message).toMatch(/refuses the user or the password.*graph\.neo4j/);
    expect(JSON.stringify([error, error.message, String(error.cause)])).not.toContain(password);
  });

  test('credentials in the URL are used', async () => {
    const { port, username, password } = server;
    const url = `bolt://${username}:${encodeURIComponent(password)}@${server.host}:${port}`;
    await using known = neo4jEngine(connectNeo4j({ url, username: 'nobody', password: '' }), () => {});
    expect((await known.stats('any')).entities).toBe(0);
  });

  test('a read transaction cannot write', async () => {
    await graph.create([{ name: 'Ada', type: 'person' }], by);
    const { code, message } = await failure(neo4j.read((run) => run('MATCH (n) SET n.x = 1')));
    expect([code, message]).toEqual(['invalid_input', expect.stringContaining('only reads')]);
    const { rows } = await neo4j.read((run) => run<{ x: unknown }>('MATCH (n) RETURN n.x AS x'));
    expect(rows).toEqual([{ x: null }]);
  });

  test('a failure in the middle undoes what came before', async () => {
    const work = neo4j.write(async (run) => {
      await run("CREATE (:Entity {name: 'half'})");
      await run('THIS IS NOT CYPHER');
    });
    expect((await failure(work)).code).toBe('invalid_input');
    expect(await names()).toEqual([]);
  });

  describe.skipIf(isRealNeo4j && 'a real server cannot be told to fail')('when told to', () => {
    test('killed in mid-call: nothing is half there', async () => {
      await graph.create([{ name: 'Ada', type: 'person' }], by);
      let statements = 0;
      server.troubles.beforeRun = async () => {
        if (++statements === 2) await server.stop();
      };
      const { code, message } = await failure(graph.observe([{ entity: 'Ada', observations: [{ text: 'x' }] }], by));
      expect([code, message]).toEqual(['unavailable', expect.stringContaining('does not answer')]);
      delete server.troubles.beforeRun;
      await server.start();
      const { entities } = await graph.open(['Ada'], READING);
      expect(entities[0]?.observations).toEqual([]);
      await graph.observe([{ entity: 'Ada', observations: [{ text: 'x' }] }], by);
    });

    test('a deadlock is tried again', async () => {
      await graph.create([{ name: 'Ada', type: 'person' }], by);
      server.troubles.failNext = 'Neo.TransientError.Transaction.DeadlockDetected';
      const [observed] = await graph.observe([{ entity: 'Ada', observations: [{ text: 'x' }] }], by);
      expect(observed?.added).toHaveLength(1);
    });

    test('a server that says nothing: the call ends', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.troubles.beforeRun = () => promise;
      const { code, message } = await failure(neo4j.read((run) => run('RETURN 1'), { timeoutMs: 1 }));
      expect([code, message]).toEqual(['timeout', expect.stringContaining('took too long')]);
      resolve();
    });

    test('a caller who gives up does not wait', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const caller = new AbortController();
      server.troubles.beforeRun = () => {
        caller.abort(new Error('gave up'));
        return promise;
      };
      const error = await failure(neo4j.read((run) => run('RETURN 1'), { signal: caller.signal }));
      expect(error.message).toContain('gave up');
      resolve();
    });

    test('without the right to create a constraint: says so once and goes on', async () => {
      server.troubles.schemaIsForbidden = true;
      await graph.create([{ name: 'Ada', type: 'person' }], by);
      await graph.create(
        [
          { name: 'Ada', type: 'person' },
          { name: 'Bob', type: 'person' },
        ],
        by,
      );
      expect(await names()).toEqual(['Ada', 'Bob']);
      expect(warned).toEqual([expect.stringContaining('CREATE CONSTRAINT'), expect.stringContaining('CREATE INDEX')]);
    });
  });
});
