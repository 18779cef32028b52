import type { Rule } from '../../rule.ts';
import { deepBranching } from './deep-branching.ts';
import { defaultName } from './default-name.ts';
import { deprecatedNode } from './deprecated-node.ts';
import { deprecatedSetting } from './deprecated-setting.ts';
import { disabledNode } from './disabled-node.ts';
import { largeWorkflow } from './large-workflow.ts';
import { missingErrorHandling } from './missing-error-handling.ts';
import { outdatedVersion } from './outdated-version.ts';
import { similarNames } from './similar-names.ts';
import { sqlWithoutWhere } from './sql-without-where.ts';
import { testWebhookUrl } from './test-webhook-url.ts';
import { toolWithoutDescription } from './tool-without-description.ts';

/** Habits that work, but cause trouble later. */
export const lintRules: readonly Rule[] = [
  deprecatedNode,
  deprecatedSetting,
  outdatedVersion,
  missingErrorHandling,
  defaultName,
  similarNames,
  disabledNode,
  largeWorkflow,
  deepBranching,
  toolWithoutDescription,
  sqlWithoutWhere,
  testWebhookUrl,
];
