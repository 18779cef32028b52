/** The services of a self-hosted stack that some classes need: each starts when it is first wanted, once for all modes. */
import { isMissing } from '../support/daemon.ts';
import { startMongo, type TestMongo } from '../support/mongodb.ts';
import { type OwnRedis, ownRedis, REDIS } from '../support/own-redis.ts';
import { type Podman, podmanIsMissing, startPodman } from '../support/podman.ts';
import { postgresIsMissing } from '../support/postgres.ts';
import { type Rabbit, RABBITMQ, startRabbit } from '../support/rabbitmq.ts';
import { type AttackedDatabase, startDatabase } from './database.ts';
import { type Giant, startGiant } from './giant.ts';
import { type LargeN8n, startLargeN8n } from './large-n8n.ts';

export interface Services {
  readonly postgres: AttackedDatabase;
  readonly redis: OwnRedis;
  readonly mongodb: TestMongo;
  readonly rabbitmq: Rabbit;
  readonly docker: Podman;
  readonly n8n: LargeN8n;
  readonly giant: Giant;
}

export type ServiceName = keyof Services;

const starts: { readonly [N in ServiceName]: () => Promise<Services[N]> } = {
  postgres: startDatabase,
  redis: () => ownRedis(),
  mongodb: startMongo,
  rabbitmq: startRabbit,
  docker: startPodman,
  n8n: startLargeN8n,
  giant: startGiant,
};

const missing: { readonly [N in ServiceName]?: string | undefined } = {
  postgres: postgresIsMissing,
  redis: isMissing(REDIS),
  rabbitmq: isMissing(RABBITMQ),
  docker: podmanIsMissing,
};

const serviceNames = Object.keys(starts) as ServiceName[];

export interface Stack extends AsyncDisposable {
  /** One for all; of PostgreSQL, a new database each time. */
  get<N extends ServiceName>(name: N): Promise<Services[N]>;
  /** Why this run does not have it. */
  lacks(name: ServiceName): string | undefined;
}

/** `wanted` are those that this run may start. */
export function openStack(wanted: readonly ServiceName[] = serviceNames): Stack {
  const stack = new AsyncDisposableStack();
  const started = new Map<ServiceName, Promise<AsyncDisposable>>();
  return {
    async get(name) {
      // What one gateway keeps must not be what the next one finds.
      if (name === 'postgres') return stack.use(await startDatabase()) as never;
      let starting = started.get(name);
      if (!starting) {
        starting = starts[name]().then((service) => stack.use(service));
        started.set(name, starting);
      }
      return (await starting) as never;
    },
    lacks: (name) => (wanted.includes(name) ? missing[name] : 'this run does not start it'),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
