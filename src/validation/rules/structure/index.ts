import type { Rule } from '../../rule.ts';
import { badNodeGroup } from './bad-node-group.ts';
import { badOnError } from './bad-on-error.ts';
import { badPinData } from './bad-pin-data.ts';
import { badWorkflowSetting } from './bad-workflow-setting.ts';
import { duplicateNodeId } from './duplicate-node-id.ts';
import { duplicateNodeName } from './duplicate-node-name.ts';
import { emptyWorkflow } from './empty-workflow.ts';
import { misplacedNodeSetting } from './misplaced-node-setting.ts';
import { nodeSettingKind } from './node-setting-kind.ts';
import { nodeShape } from './node-shape.ts';
import { notAWorkflow } from './not-a-workflow.ts';
import { retryLimits } from './retry-limits.ts';
import { typeVersionMissing } from './type-version-missing.ts';
import { unknownErrorWorkflow } from './unknown-error-workflow.ts';
import { unknownNodeKey } from './unknown-node-key.ts';
import { unknownNodeType } from './unknown-node-type.ts';
import { unknownTypeVersion } from './unknown-type-version.ts';
import { unknownWorkflowKey } from './unknown-workflow-key.ts';
import { unknownWorkflowSetting } from './unknown-workflow-setting.ts';
import { workflowIncomplete } from './workflow-incomplete.ts';
import { workflowShape } from './workflow-shape.ts';

/** The shape of the workflow, and the types, versions and settings of its nodes. */
export const structureRules: readonly Rule[] = [
  notAWorkflow,
  workflowShape,
  workflowIncomplete,
  unknownWorkflowKey,
  unknownWorkflowSetting,
  badWorkflowSetting,
  unknownErrorWorkflow,
  emptyWorkflow,
  nodeShape,
  nodeSettingKind,
  unknownNodeKey,
  unknownNodeType,
  typeVersionMissing,
  unknownTypeVersion,
  duplicateNodeName,
  duplicateNodeId,
  misplacedNodeSetting,
  badOnError,
  retryLimits,
  badPinData,
  badNodeGroup,
];
