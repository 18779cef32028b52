import type { AnyModule } from './module.ts';

export interface Known {
  /** Which variable fills which key of its section. */
  readonly environment: Readonly<Record<string, string>>;
  load(): Promise<AnyModule>;
}

/** `named` are the variables that fill its keys, by key. */
const builtIn = (named: Known['environment'], load: () => Promise<{ default: AnyModule }>): Known => ({
  environment: named,
  load: async () => (await load()).default,
});

/** The modules that are built in. */
export const known: ReadonlyMap<string, Known> = new Map([
  ['redis', builtIn({ url: 'REDIS_URL' }, () => import('./redis/module.ts'))],
  ['postgres', builtIn({ url: 'POSTGRES_URL' }, () => import('./postgres/module.ts'))],
  ['pgvector', builtIn({ url: 'PGVECTOR_URL' }, () => import('./pgvector/module.ts'))],
  ['qdrant', builtIn({ url: 'QDRANT_URL', apiKey: 'QDRANT_API_KEY' }, () => import('./qdrant/module.ts'))],
  ['mongodb', builtIn({ url: 'MONGODB_URL' }, () => import('./mongodb/module.ts'))],
  [
    'rabbitmq',
    builtIn({ url: 'RABBITMQ_URL', managementUrl: 'RABBITMQ_MANAGEMENT_URL' }, () => import('./rabbitmq/module.ts')),
  ],
  ['docker', builtIn({ url: 'DOCKER_HOST' }, () => import('./docker/module.ts'))],
  ['prometheus', builtIn({ url: 'PROMETHEUS_URL' }, () => import('./prometheus/module.ts'))],
  ['traefik', builtIn({ url: 'TRAEFIK_URL' }, () => import('./traefik/module.ts'))],
  [
    'uptimekuma',
    builtIn(
      { url: 'UPTIMEKUMA_URL', username: 'UPTIMEKUMA_USERNAME', password: 'UPTIMEKUMA_PASSWORD' },
      () => import('./uptimekuma/module.ts'),
    ),
  ],
  [
    'vault',
    builtIn(
      { url: 'VAULT_ADDR', token: 'VAULT_TOKEN', namespace: 'VAULT_NAMESPACE' },
      () => import('./vault/module.ts'),
    ),
  ],
  ['github', builtIn({ token: 'GITHUB_TOKEN' }, () => import('./github/module.ts'))],
  ['openrouter', builtIn({ apiKey: 'OPENROUTER_API_KEY' }, () => import('./openrouter/module.ts'))],
  ['dify', builtIn({ url: 'DIFY_URL', apiKey: 'DIFY_API_KEY' }, () => import('./dify/module.ts'))],
  ['openhands', builtIn({ url: 'OPENHANDS_URL', apiKey: 'OPENHANDS_API_KEY' }, () => import('./openhands/module.ts'))],
]);
