import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { backupInstance } from './backup-instance.ts';
import { backupWorkflow } from './backup-workflow.ts';
import { copyBackups } from './copy-backups.ts';
import { listBackups } from './list-backups.ts';
import { pruneBackups } from './prune-backups.ts';
import { restoreWorkflow } from './restore-workflow.ts';

export const backupTools: readonly AnyTool<N8nDeps>[] = [
  backupWorkflow,
  backupInstance,
  listBackups,
  restoreWorkflow,
  pruneBackups,
  copyBackups,
];
