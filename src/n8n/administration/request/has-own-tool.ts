import { AppError } from '../../../kernel/errors.ts';

interface Owned {
  readonly call: RegExp;
  readonly tool: string;
  readonly why: string;
}

const BACKUP = 'It takes a backup first';

/**
 * Requests that would lose work or bring in foreign code unseen. Their tools back up, warn and say what is concerned. n8n
 * ignores case in paths.
 */
const owned: readonly Owned[] = [
  {
    call: /^PUT \/api\/v1\/workflows\/[^/]+$/i,
    tool: 'n8n_update_workflow, n8n_edit_workflow or n8n_move',
    why: BACKUP,
  },
  { call: /^DELETE \/api\/v1\/workflows\/[^/]+$/i, tool: 'n8n_delete_workflow', why: BACKUP },
  {
    call: /^(?:PUT|PATCH) \/api\/v1\/credentials\/[^/]+$/i,
    tool: 'n8n_update_credential',
    why: 'It checks the values against the credential type',
  },
  {
    call: /^DELETE \/api\/v1\/credentials\/[^/]+$/i,
    tool: 'n8n_delete_credential',
    why: 'It checks which workflows use it',
  },
  { call: /^DELETE \/api\/v1\/projects\/[^/]+$/i, tool: 'n8n_delete_project', why: BACKUP },
  { call: /^DELETE \/api\/v1\/users\/[^/]+$/i, tool: 'n8n_delete_user', why: BACKUP },
  { call: /^DELETE \/api\/v1\/data-tables\/[^/]+$/i, tool: 'n8n_delete_data_table', why: BACKUP },
  { call: /^DELETE \/api\/v1\/data-tables\/[^/]+\/rows\//i, tool: 'n8n_delete_rows', why: BACKUP },
  { call: /^DELETE \/api\/v1\/data-tables\/[^/]+\/columns\//i, tool: 'n8n_update_data_table', why: BACKUP },
  { call: /^POST \/api\/v1\/source-control\/pull$/i, tool: 'n8n_pull_source_control', why: BACKUP },
  {
    call: /^[A-Z]+ \/api\/v1\/n8n-packages\//i,
    tool: 'n8n_backup_workflow or n8n_restore_workflow',
    why: 'Packages are files, and this tool sends and shows JSON only',
  },
  {
    call: /^(?:POST|PATCH|DELETE) \/api\/v1\/community-packages(?:\/|$)/i,
    tool: 'n8n_install_community_package, n8n_update_community_package or n8n_uninstall_community_package',
    why: 'It also refreshes what Sluice knows about nodes',
  },
];

/** Throws if a request must be made with its own tool. */
export function refuseOwned(method: string, path: string): void {
  const found = owned.find(({ call }) => call.test(`${method} ${path}`));
  if (found)
    throw new AppError('invalid_input', `Use ${found.tool} for ${method} ${path}. ${found.why}. Nothing was sent.`);
}
