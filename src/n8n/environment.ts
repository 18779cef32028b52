import type { Fill } from '../host/config/fill.ts';
import { isHttpUrl } from '../host/config/scalars.ts';
import { valueAt } from '../host/config/schema-problems.ts';
import type { Tree } from '../host/config/tree.ts';
import type { Env } from '../host/part.ts';
import { databaseFromEnvironment } from './client/database-address.ts';

/** Settings of the default n8n that come from environment variables. */
export function n8nFills(file: Tree, env: Env): Fill[] {
  const found = n8nAddress(env);
  const inFile = valueAt(file, ['n8n', 'default', 'url']);
  const fills: Fill[] = [];
  if (found) {
    const problem = {
      message: 'is not an http or https URL',
      fix: 'Set it to a URL like http://127.0.0.1:5678.',
    };
    fills.push({
      variable: found.variable,
      path: ['n8n', 'default', 'url'],
      value: found.url,
      problem: isHttpUrl(found.url) ? undefined : problem,
    });
  }
  // Never send the key from the environment to another n8n than the one the environment names.
  const elsewhere = typeof inFile === 'string' && found !== undefined && !sameUrl(inFile, found.url);
  if (env.N8N_API_KEY && !elsewhere) {
    fills.push({ variable: 'N8N_API_KEY', path: ['n8n', 'default', 'apiKey'], value: env.N8N_API_KEY });
  }
  if (!elsewhere) fills.push(...ownerFills(env));
  // Use the database only if an n8n is configured: on their own, these variables may belong to any program.
  const database = databaseFromEnvironment(env);
  const configured = fills.length > 0 || valueAt(file, ['n8n', 'default']) !== undefined;
  if (database !== undefined && configured) {
    fills.push({ variable: 'DB_POSTGRESDB_HOST', path: ['n8n', 'default', 'database'], value: database });
  }
  return fills;
}

function ownerFills({ N8N_OWNER_EMAIL: email, N8N_OWNER_PASSWORD: password }: Env): Fill[] {
  if (email && password) {
    const value = { email: email.trim(), password };
    return [{ variable: 'N8N_OWNER_EMAIL', path: ['n8n', 'default', 'owner'], value, secret: password }];
  }
  if (!email && !password) return [];
  const [there, lacking] = email
    ? ['N8N_OWNER_EMAIL', 'N8N_OWNER_PASSWORD']
    : ['N8N_OWNER_PASSWORD', 'N8N_OWNER_EMAIL'];
  return [
    { variable: there, problem: { message: `is set without ${lacking}`, fix: `Set ${lacking}, too, or unset it.` } },
  ];
}

function n8nAddress(env: Env): { variable: string; url: string } | undefined {
  const given = ['N8N_HOST', 'N8N_URL', 'N8N_INTERNAL_URL'].flatMap((variable) => {
    const url = env[variable]?.trim();
    return url ? [{ variable, url }] : [];
  });
  const [first] = given;
  const address = given.find(({ url }) => url.includes('://'));
  if (address || !first) return address;
  if (first.variable !== 'N8N_HOST') return first;
  // n8n itself reads N8N_HOST as a bare host name, along with N8N_PROTOCOL and N8N_PORT.
  const host = first.url.includes(':') ? first.url : `${first.url}:${env.N8N_PORT || '5678'}`;
  return { variable: 'N8N_HOST', url: `${env.N8N_PROTOCOL || 'http'}://${host}` };
}

function sameUrl(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href;
}
