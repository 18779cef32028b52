import { z } from 'zod';
import { duration } from '../host/config/duration.ts';
import { httpUrl, integer } from '../host/config/scalars.ts';
import { sourceName } from '../host/config/source-name.ts';
import type { HostOf, SettingsOf } from '../host/part.ts';
import { N8N_VERSION, PINNED_N8N } from '../nodes/which-n8n.ts';
import { backupsSection } from './backups/settings.ts';
import { n8nDatabase } from './client/database-address.ts';
import type { n8nFacts } from './facts.ts';
import { templatesSection } from './templates/settings.ts';
import { validationSection } from './validation/settings.ts';

/** How `sluice n8n up` and `serve --with-n8n` run the local n8n of this name. */
export const localN8n = z.strictObject({
  version: z.string().regex(N8N_VERSION, `must be a full n8n version, like ${PINNED_N8N}`).optional(),
  port: integer(1, 65_535).optional(),
  /** `postgres` uses the DB_POSTGRESDB_* variables. Setting the variables alone does not switch to it. */
  database: z.enum(['sqlite', 'postgres']).default('sqlite'),
  /** More environment variables for n8n. */
  env: z.record(z.string(), z.string()).default({}),
});

/** One n8n instance: its URL and how to sign in. */
const instance = z.strictObject({
  url: httpUrl.default('http://127.0.0.1:5678'),
  /** Empty means none, so that `${N8N_API_KEY:-}` works before there is a key. */
  apiKey: z
    .string()
    .transform((key) => (key === '' ? undefined : key))
    .optional(),
  /** For features that the public API lacks. */
  login: z.strictObject({ email: z.string().min(1), password: z.string().min(1) }).optional(),
  /** Without an API key: Sluice makes one as this user, and makes it the owner of an n8n that has none. Also a `login`. */
  owner: z.strictObject({ email: z.string().min(1), password: z.string().min(1) }).optional(),
  /** n8n's own database, to list credentials when the API key may not. */
  database: n8nDatabase.optional(),
  timeout: duration.default(30_000),
  local: localN8n.optional(),
});

export const n8nSettings = {
  n8n: z.record(sourceName, instance).default({}),
  backups: backupsSection.prefault({}),
  templates: templatesSection.prefault({}),
  validation: validationSection.prefault({}),
};

export type N8nConfig = SettingsOf<typeof n8nSettings>;

export type N8nHost = HostOf<typeof n8nSettings, typeof n8nFacts>;
