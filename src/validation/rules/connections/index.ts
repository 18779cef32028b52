import type { Rule } from '../../rule.ts';
import { connectionById } from './connection-by-id.ts';
import { connectionKindMismatch } from './connection-kind-mismatch.ts';
import { connectionShape } from './connection-shape.ts';
import { duplicateConnection } from './duplicate-connection.ts';
import { endlessLoop } from './endless-loop.ts';
import { errorOutputOff } from './error-output-off.ts';
import { errorOutputUnused } from './error-output-unused.ts';
import { idleTrigger } from './idle-trigger.ts';
import { inputIndex } from './input-index.ts';
import { missingChatField } from './missing-chat-field.ts';
import { missingSubNode } from './missing-sub-node.ts';
import { noTrigger } from './no-trigger.ts';
import { openLoop } from './open-loop.ts';
import { orphanNode } from './orphan-node.ts';
import { outputIndex } from './output-index.ts';
import { outputParserMissing } from './output-parser-missing.ts';
import { publishTrigger } from './publish-trigger.ts';
import { regularNodeAsTool } from './regular-node-as-tool.ts';
import { reversedLoopOutputs } from './reversed-loop-outputs.ts';
import { tooManyOfType } from './too-many-of-type.ts';
import { tooManySubNodes } from './too-many-sub-nodes.ts';
import { unfittingSubNode } from './unfitting-sub-node.ts';
import { unknownConnectionKind } from './unknown-connection-kind.ts';
import { unknownConnectionSource } from './unknown-connection-source.ts';
import { unknownConnectionTarget } from './unknown-connection-target.ts';
import { unreachableNode } from './unreachable-node.ts';
import { unusedInput } from './unused-input.ts';
import { unusedSubNode } from './unused-sub-node.ts';
import { wrongInputKind } from './wrong-input-kind.ts';
import { wrongOutputKind } from './wrong-output-kind.ts';

/** Where connections lead, and whether every node is reached. */
export const connectionRules: readonly Rule[] = [
  connectionShape,
  connectionById,
  unknownConnectionSource,
  unknownConnectionTarget,
  unknownConnectionKind,
  connectionKindMismatch,
  wrongOutputKind,
  wrongInputKind,
  regularNodeAsTool,
  outputIndex,
  inputIndex,
  unusedInput,
  errorOutputOff,
  errorOutputUnused,
  missingSubNode,
  missingChatField,
  tooManySubNodes,
  unfittingSubNode,
  outputParserMissing,
  duplicateConnection,
  noTrigger,
  publishTrigger,
  tooManyOfType,
  orphanNode,
  idleTrigger,
  unusedSubNode,
  unreachableNode,
  reversedLoopOutputs,
  openLoop,
  endlessLoop,
];
