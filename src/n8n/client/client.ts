import { createAbilities } from '../abilities.ts';
import { postgresCredentials } from '../credentials/database.ts';
import type { Presence } from '../../kernel/presence.ts';
import type { N8nAddress } from './answer.ts';
import { communityPackagesOf } from './community-packages.ts';
import { credentialsOf } from './credentials.ts';
import { dataTablesOf } from './data-tables.ts';
import { executionsOf } from './executions.ts';
import { foldersOf } from './folders.ts';
import { createN8nHttp } from './http.ts';
import { packagesOf } from './packages.ts';
import { addressPresence } from './presence.ts';
import { projectsOf } from './projects.ts';
import { reportsOf } from './reports.ts';
import { createSession, type Login } from './session.ts';
import { sourceControlOf } from './source-control.ts';
import { tagsOf } from './tags.ts';
import { createTurns } from './turns.ts';
import { usersOf } from './users.ts';
import { variablesOf } from './variables.ts';
import { workflowsOf } from './workflows.ts';

export interface N8nSettings {
  readonly url: string;
  readonly apiKey?: string;
  readonly login?: Login;
  /** Address of n8n's own PostgreSQL, to list credentials if the API key may not. */
  readonly database?: string;
  readonly timeoutMs: number;
  /** Knows whether n8n is up. Only a local n8n that Sluice runs has one. */
  readonly presence?: Presence;
}

/** A client for one n8n: its public API and, with a login, its internal one. */
export function createN8nClient(
  name: string,
  { url, apiKey, login, database, timeoutMs, presence: watched }: N8nSettings,
  noted: Pick<N8nAddress, 'heard' | 'log' | 'wrote'> = {},
) {
  const presence = watched ?? addressPresence(name, url);
  const address: N8nAddress = { name, url, headers: {}, timeoutMs, isKept: watched !== undefined, ...noted };
  const plain = createN8nHttp(address);
  const keyed: N8nAddress = { ...address, presence, headers: apiKey === undefined ? {} : { 'x-n8n-api-key': apiKey } };
  const abilities = createAbilities(createN8nHttp(keyed));
  const http = createN8nHttp(keyed, abilities.explain);
  return {
    name,
    url,
    hasKey: apiKey !== undefined,
    presence,
    http,
    abilities,
    /** Sends no API key: for webhooks, forms and health. */
    plain,
    workflows: workflowsOf(http),
    executions: executionsOf(http),
    credentials: credentialsOf(http),
    tags: tagsOf(http),
    dataTables: dataTablesOf(http),
    packages: packagesOf(http),
    projects: projectsOf(http),
    folders: foldersOf(http),
    variables: variablesOf(http),
    users: usersOf(http),
    sourceControl: sourceControlOf(http),
    reports: reportsOf(http),
    communityPackages: communityPackagesOf(http),
    credentialDatabase: database === undefined ? undefined : postgresCredentials(database),
    session: createSession(plain, login),
    /** Before you change a workflow, take a turn at its id. */
    turns: createTurns(),
  };
}

export type N8nClient = ReturnType<typeof createN8nClient>;
