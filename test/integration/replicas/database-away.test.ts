import { describe, expect, test } from 'vitest';
import { callWhileAway } from '../../support/database-away.ts';
import { lineTo } from '../../support/cut-line.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { secretKey } from '../../support/two-replicas.ts';
import { send, startGateway, type TestGateway } from '../harness.ts';

const addressesIn = ({ runtime }: TestGateway) => new Set(runtime.store.shared.peers?.all().map(({ url }) => url));

describe.skipIf(postgresIsMissing)('replicas whose database is away', () => {
  test('answer every call of both eras meanwhile and afterwards, and lose no event', async () => {
    const { calls, slowestMs, unstored, ...lost } = await callWhileAway('freeze', 13_000);
    console.log(JSON.stringify({ calls, slowestMs, unstored }));
    expect(lost).toEqual({ failed: {}, undelivered: [] });
    expect(slowestMs).toBeLessThan(3000);
    expect(unstored).toBeGreaterThan(0);
  });

  test('want no requests while another one has it, and go on if nobody has', async () => {
    await using database = await createDatabase();
    await using lineOfA = await lineTo(database.port);
    await using lineOfB = await lineTo(database.port);
    const start = ({ port }: { port: number }) =>
      startGateway({ store: database.url.replace(`:${database.port}/`, `:${port}/`) }, { env: secretKey });
    await using a = await start(lineOfA);
    await using b = await start(lineOfB);
    for (const one of [a, b]) await expect.poll(() => addressesIn(one)).toEqual(new Set([a.url, b.url]));
    const readiness = async ({ url }: TestGateway) => {
      const { status, text } = await send(`${url}/ready`);
      return [status, JSON.parse(text)] as const;
    };
    const ready = [200, { status: 'ready' }];
    const readyWithout = [200, { status: 'ready', store: 'cut off' }];
    const unready = [503, { status: 'cut off from the store', store: 'cut off' }];
    lineOfA.cut();
    await expect.poll(() => readiness(a)).toEqual(unready);
    expect(await readiness(b)).toEqual(ready);
    lineOfB.cut();
    await expect.poll(() => readiness(a)).toEqual(readyWithout);
    expect(await readiness(b)).toEqual(readyWithout);
    lineOfB.mend();
    await expect.poll(() => readiness(b)).toEqual(ready);
    await expect.poll(() => readiness(a)).toEqual(unready);
    lineOfA.mend();
    await expect.poll(() => readiness(a)).toEqual(ready);
  });
});
