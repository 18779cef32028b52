import { checkAccess } from './tools/check-access.ts';
import { deleteSecret } from './tools/delete-secret.ts';
import { destroyVersions } from './tools/destroy-versions.ts';
import { findSecrets } from './tools/find-secrets.ts';
import { getStatus } from './tools/get-status.ts';
import { getTokenInfo } from './tools/get-token-info.ts';
import { listMounts } from './tools/list-mounts.ts';
import { listSecrets } from './tools/list-secrets.ts';
import { listVersions } from './tools/list-versions.ts';
import { readSecretTool } from './tools/read-secret.ts';
import { revealSecret } from './tools/reveal-secret.ts';
import { setMetadata } from './tools/set-metadata.ts';
import { undeleteSecret } from './tools/undelete-secret.ts';
import { writeSecret } from './tools/write-secret.ts';

export const vaultTools = [
  listMounts,
  listSecrets,
  findSecrets,
  readSecretTool,
  revealSecret,
  writeSecret,
  listVersions,
  setMetadata,
  deleteSecret,
  undeleteSecret,
  destroyVersions,
  checkAccess,
  getTokenInfo,
  getStatus,
];
