import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CutLine, lineTo } from '../../support/cut-line.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { openReplica } from '../../support/shared.ts';
import { secretKey } from '../../support/two-replicas.ts';
import { callTool, connectV2, send, startGateway, textOf } from '../harness.ts';

const SILENT = /The store, PostgreSQL at .*, does not answer\. Check that it runs, and try again/;

// Without noticing it, each of these waits longer than a test may take.
describe.skipIf(postgresIsMissing)('a PostgreSQL that is silent', () => {
  let place: TestDatabase;
  let line: CutLine;
  beforeAll(async () => {
    place = await createDatabase();
    line = await lineTo(place.port);
  });
  afterAll(async () => {
    await line[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });
  const overLine = () => place.url.replace(`:${place.port}/`, `:${line.port}/`);

  test('fails what reads events or usage, everywhere and soon, and is there again afterwards', async () => {
    await using gateway = await startGateway({}, { store: overLine(), env: secretKey });
    await using client = await connectV2(gateway);
    await callTool(client, 'get_events', {});
    line.freeze();
    // Several at once: none waits for another.
    const tools = ['get_events', 'gateway_usage', 'get_events', 'gateway_usage', 'get_events', 'get_events'];
    const paths = ['/api/v1/events', '/api/v1/events/1', '/api/v1/usage'];
    const [answers, replies] = await Promise.all([
      Promise.all(tools.map((tool) => callTool(client, tool, {}))),
      Promise.all(paths.map((path) => send(`${gateway.url}${path}`))),
    ]);
    for (const answer of answers) expect(textOf(answer)).toMatch(SILENT);
    for (const { status, text } of replies) {
      expect(text).toMatch(SILENT);
      expect(status).toBe(503);
    }
    for (const path of ['/metrics', '/api/v1/status', '/health'])
      expect((await send(`${gateway.url}${path}`)).status).toBe(200);
    line.mend();
    await expect.poll(async () => textOf(await callTool(client, 'gateway_usage', {}))).toMatch(/get_events/);
  });

  test('fails changes too, and does not make them later', async () => {
    await using replica = await openReplica(overLine());
    const { database } = replica;
    await database.script('CREATE TABLE noted (n integer)');
    line.freeze();
    // More than there are connections: the rest waits for one.
    const changes = Array.from({ length: 12 }, (_, n) =>
      n % 2 === 0
        ? database.change('INSERT INTO noted VALUES ($1)', [n])
        : database.transaction((session) => session.change('INSERT INTO noted VALUES ($1)', [n])),
    );
    for (const outcome of await Promise.allSettled(changes))
      expect(outcome).toMatchObject({
        reason: { code: 'unavailable', message: expect.stringMatching(SILENT) as string },
      });
    expect(database.trouble()).toMatchObject({ state: 'failing', message: expect.stringMatching(SILENT) as string });
    line.mend();
    await expect.poll(() => database.rows('SELECT n FROM noted').catch(() => 'silent')).toEqual([]);
    expect(database.trouble()).toBeUndefined();
  });

  test('is not one that takes its time', async () => {
    await using replica = await openReplica(place.url);
    const [row] = await replica.database.rows<{ slow: string }>(`SELECT pg_sleep(3)::text || 'yes' AS slow`);
    expect(row).toEqual({ slow: 'yes' });
  });
});
