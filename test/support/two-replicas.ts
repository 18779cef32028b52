import { startGateway, type TestGateway } from '../integration/harness.ts';
import { createDatabase, type TestDatabase } from './postgres.ts';

/** Every replica has the same. */
export const secretKey = { SLUICE_SECRET_KEY: 'the same text of more than thirty-two characters' };

export interface TwoReplicas extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly a: TestGateway;
  readonly b: TestGateway;
  /** The number of events of this type in the log that both share. */
  count(type: string): Promise<number>;
}

/** Two gateways in this process with one PostgreSQL, each with a home of its own. `reach` is how they get to it. */
export async function startReplicas(
  config: object,
  ofB: object = config,
  reach: (database: TestDatabase) => string | Promise<string> = ({ url }) => url,
): Promise<TwoReplicas> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createDatabase());
  const store = await reach(database);
  const start = async (given: object) => stack.use(await startGateway({ ...given, store }, { env: secretKey }));
  const a = await start(config);
  const b = await start(ofB);
  const owned = stack.move();
  return {
    database,
    a,
    b,
    async count(type) {
      await Promise.all([a, b].map(({ runtime }) => runtime.events.flush()));
      return (await a.stored({ type, limit: 1000 })).events.length;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
