import { z } from 'zod';
import { httpUrl } from '../../host/config/scalars.ts';
import { playwright } from './playwright.ts';
import type { Preset } from './preset.ts';

const token = z.string().min(1);

/** Official servers, pinned and with safe flags. A user adds others under `server` of a section. */
export const presets: ReadonlyMap<string, Preset> = new Map<string, Preset>([
  ['playwright', playwright],
  [
    'mongodb-mcp',
    {
      description: "MongoDB by MongoDB's own server: find, aggregate, schemas, indexes, logs",
      source: {
        npm: 'mongodb-mcp-server',
        version: '3.0.4',
        env: { MDB_MCP_TELEMETRY: 'disabled', MDB_MCP_DISABLE_SERVER_SIDE_JS: 'true', MDB_MCP_LOGGERS: 'stderr' },
      },
      options: {
        url: {
          type: z.string().regex(/^mongodb(\+srv)?:\/\//, 'is not a URL of MongoDB'),
          env: 'MDB_MCP_CONNECTION_STRING',
          variable: 'MONGODB_URL',
          isSecret: true,
        },
      },
      readOnly: { env: { MDB_MCP_READ_ONLY: 'true' } },
      // They would connect to any other place, or write files.
      never: ['connect', 'switch-connection', 'export', 'atlas-*'],
      confirm: ['drop-*', 'delete-*'],
    },
  ],
  [
    'grafana',
    {
      description: 'Grafana: dashboards, data sources, PromQL and LogQL, alerts, incidents',
      source: { pypi: 'mcp-grafana', version: '1.1.0' },
      options: {
        url: { type: httpUrl, env: 'GRAFANA_URL', variable: 'GRAFANA_URL' },
        token: {
          type: token,
          env: 'GRAFANA_SERVICE_ACCOUNT_TOKEN',
          variable: 'GRAFANA_SERVICE_ACCOUNT_TOKEN',
          isSecret: true,
        },
      },
      readOnly: { args: ['--disable-write'] },
      confirm: ['*delete*'],
    },
  ],
  [
    'github-mcp',
    {
      description: "GitHub by GitHub's own server: repositories, issues, pull requests, actions",
      source: { url: 'https://api.githubcopilot.com/mcp/' },
      options: {
        token: { type: token, header: 'Authorization', before: 'Bearer ', variable: 'GITHUB_TOKEN', isSecret: true },
        toolsets: { type: z.array(z.string().min(1)).min(1).optional(), header: 'X-MCP-Toolsets', between: ',' },
      },
      readOnly: { headers: { 'X-MCP-Readonly': 'true' } },
      confirm: ['merge_*', '*delete*', '*release*'],
    },
  ],
]);
