import type { AnyModule } from './module.ts';

export interface Known {
  /** Which variable fills which key of its section. */
  readonly environment: Readonly<Record<string, string>>;
  load(): Promise<AnyModule>;
}

/** The modules that are built in. */
export const known: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['redis', { environment: { url: 'REDIS_URL' }, load: async () => (await import('./redis/module.ts')).default }],
  ['mongodb', { environment: { url: 'MONGODB_URL' }, load: async () => (await import('./mongodb/module.ts')).default }],
  [
    'postgres',
    { environment: { url: 'POSTGRES_URL' }, load: async () => (await import('./postgres/module.ts')).default },
  ],
  [
    'rabbitmq',
    {
      environment: { url: 'RABBITMQ_URL', managementUrl: 'RABBITMQ_MANAGEMENT_URL' },
      load: async () => (await import('./rabbitmq/module.ts')).default,
    },
  ],
  ['docker', { environment: { url: 'DOCKER_HOST' }, load: async () => (await import('./docker/module.ts')).default }],
  [
    'prometheus',
    { environment: { url: 'PROMETHEUS_URL' }, load: async () => (await import('./prometheus/module.ts')).default },
    'pgvector',
    { environment: { url: 'PGVECTOR_URL' }, load: async () => (await import('./pgvector/module.ts')).default },
  ],
]);
