import { embedderPart } from '../embedder/part.ts';
import { gatewayPart } from '../gateway/part.ts';
import { ownSource } from '../host/config/claims.ts';
import { isTree } from '../host/config/tree.ts';
import { part } from '../host/part.ts';
import { nodesPart } from '../nodes/part.ts';
import { s3Fills } from './backups/s3/settings.ts';
import { anchoredBackups } from './backups/settings.ts';
import { n8nFills } from './environment.ts';
import { n8nFacts } from './facts.ts';
import { n8nMigrations } from './migrations.ts';
import type { N8n } from './open.ts';
import { n8nSettings } from './settings.ts';
import { valueAt } from '../host/config/schema-problems.ts';

const uses = { embedder: embedderPart, gateway: gatewayPart, nodes: nodesPart };

/** The connected n8n instances: workflows, executions, credentials, backups, validation. */
export const n8nPart = part<N8n, typeof n8nSettings, typeof uses, typeof n8nFacts>({
  uses,
  settings: n8nSettings,
  facts: n8nFacts,
  migrations: n8nMigrations,
  secretVariables: ({ backups }) => [
    'N8N_API_KEY',
    'N8N_OWNER_PASSWORD',
    ...(isTree(backups) && isTree(backups.s3) ? ['AWS_SECRET_ACCESS_KEY'] : []),
  ],
  environment: (file, { env }) => [...n8nFills(file, env), ...s3Fills(file, env)],
  problems: async (file) =>
    valueAt(file, ['validation', 'rules']) === undefined
      ? []
      : (await import('./validation/unknown-rules.ts')).unknownRules(file),
  claims: () => [ownSource('n8n')],
  anchor({ backups, templates, ...rest }, resolve) {
    const folders = Object.entries(templates.libraries).map(([name, folder]) => [name, resolve(folder)] as const);
    return {
      ...rest,
      backups: anchoredBackups(backups, resolve),
      templates: { ...templates, libraries: Object.fromEntries(folders) },
    };
  },
  tools: async () => (await import('./own-source.ts')).n8nTools,
  pages: [
    {
      path: 'n8n',
      title: 'n8n',
      scope: 'n8n:read',
      source: 'n8n',
      module: 'n8n/pages/n8n.tsx',
      order: 50,
      key: 'n',
      kinds: ['n8n', 'local-n8n', 'backups', 'nodes'],
    },
  ],
  commands: {
    n8n: {
      summary: 'Runs an n8n on this machine; promotes workflows, keeps them in files; imports and exports tables',
      load: async (place) => (await import('./commands/n8n.ts')).n8nCommand(place),
    },
    'n8n table list': {
      summary: 'Lists the data tables of an n8n',
      load: async (place) => (await import('./commands/tables/list.ts')).tableListCommand(place),
    },
    'n8n table import': {
      summary: 'Imports a CSV file of any size into a data table',
      load: async (place) => (await import('./commands/tables/import.ts')).tableImportCommand(place),
    },
    'n8n table export': {
      summary: 'Exports a data table as CSV, to a file or to stdout',
      load: async (place) => (await import('./commands/tables/export.ts')).tableExportCommand(place),
    },
    'n8n table restore': {
      summary: 'Restores a data table from a backup',
      load: async (place) => (await import('./commands/tables/restore.ts')).tableRestoreCommand(place),
    },
    'n8n pull': {
      summary: 'Writes workflows of an n8n into a folder, one file each, for git',
      load: async (place) => (await import('./commands/pull.ts')).pullCommand(place),
    },
    'n8n push': {
      summary: 'Writes the workflows of a folder into an n8n',
      load: async (place) => (await import('./commands/push.ts')).pushCommand(place),
    },
    'n8n promote': {
      summary: 'Brings workflows from one n8n to another, with what they need',
      load: async (place) => (await import('./commands/promote.ts')).promoteCommand(place),
    },
    'n8n compare': {
      summary: 'Shows what differs between two n8n',
      load: async (place) => (await import('./commands/compare.ts')).compareCommand(place),
    },
    backup: {
      summary: 'Backs up n8n, and restores workflows',
      load: async (place) => (await import('./commands/backup.ts')).backupCommand(place),
    },
    nodes: {
      summary: "Finds and explains n8n's nodes",
      load: async (place) => (await import('./commands/nodes.ts')).nodesCommand(place),
    },
    templates: {
      summary: 'Finds, shows and imports workflow templates',
      load: async (place) => (await import('./commands/templates.ts')).templatesCommand(place),
    },
    validate: {
      summary: 'Checks workflows, in files or in n8n',
      load: async (place) => (await import('./commands/validate.ts')).validateCommand(place),
    },
  },
  open: async (host, used) => (await import('./open.ts')).openN8n(host, used),
});
