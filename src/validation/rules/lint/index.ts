import type { Rule } from '../../rule.ts';
import { deepBranching } from './deep-branching.ts';
import { defaultName } from './default-name.ts';
import { deprecatedNode } from './deprecated-node.ts';
import { disabledNode } from './disabled-node.ts';
import { largeWorkflow } from './large-workflow.ts';
import { missingErrorHandling } from './missing-error-handling.ts';
import { outdatedVersion } from './outdated-version.ts';
import { similarNames } from './similar-names.ts';
import { toolWithoutDescription } from './tool-without-description.ts';

/** What works, and makes trouble later. */
export const lintRules: readonly Rule[] = [
  deprecatedNode,
  outdatedVersion,
  missingErrorHandling,
  defaultName,
  similarNames,
  disabledNode,
  largeWorkflow,
  deepBranching,
  toolWithoutDescription,
];
