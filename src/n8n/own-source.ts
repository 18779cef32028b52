import { createOwnSource } from '../kernel/own-source.ts';
import type { ToolSource } from '../kernel/source.ts';
import { administrationTools } from './administration/tools.ts';
import { backupTools } from './backups/tools.ts';
import { credentialTools } from './credentials/tools.ts';
import { dataTableTools } from './data-tables/tools.ts';
import { executionTools } from './executions/tools.ts';
import { n8nGuide } from './guide.ts';
import { findTools } from './find/tools.ts';
import { nodeTools } from './nodes/tools.ts';
import { getOverview } from './overview/get-overview.ts';
import { promotionTools } from './promotion/tools.ts';
import { runningTools } from './running/tools.ts';
import { tagTools } from './tags/tools.ts';
import { templateTools } from './templates/tools.ts';
import type { N8nDeps } from './tool.ts';
import { validationTools } from './validation/tools.ts';
import { workflowTools } from './workflows/tools.ts';

export const n8nTools = [
  getOverview,
  ...workflowTools,
  ...findTools,
  ...runningTools,
  ...executionTools,
  ...credentialTools,
  ...tagTools,
  ...nodeTools,
  ...validationTools,
  ...backupTools,
  ...templateTools,
  ...promotionTools,
  ...dataTableTools,
  ...administrationTools,
];

/** The n8n tools. They are listed as soon as an n8n is configured or the local one has started. */
export function n8nSource(deps: N8nDeps): ToolSource {
  const source = createOwnSource<N8nDeps>({
    id: 'n8n',
    exposure: 'compact',
    description:
      'n8n: workflows, executions, credentials, templates, promotion, data tables, administration and backups',
    guide: () => n8nGuide,
    tools: n8nTools,
    deps,
  });
  return {
    ...source,
    entries: () => (deps.instances.names().length > 0 ? source.entries() : []),
    onChange: (listener) => deps.instances.onChange(listener),
  };
}
