import { versionOf } from '../subject/node-knowledge.ts';
import { isRecord, own } from '../json/record.ts';
import type { NodeView } from '../subject/subject.ts';

/** Whether the output of this node certainly lacks the field. False if unsure. */
export function lacks(node: NodeView, field: string): boolean {
  if (node.disabled) return false;
  return whole.get(node.type)?.(node, field) ?? false;
}

/** Nodes with known output fields: a webhook returns body, query, headers …, a schedule returns times. */
const whole: ReadonlyMap<string, (node: NodeView, field: string) => boolean> = new Map([
  ['n8n-nodes-base.webhook', () => true],
  ['n8n-nodes-base.scheduleTrigger', () => true],
  ['n8n-nodes-base.manualTrigger', () => true],
  ['n8n-nodes-base.set', isNotSet],
]);

/** From this version on, the node drops other fields by default. */
const KEEPS_NOTHING = 3.3;

function isNotSet(node: NodeView, field: string): boolean {
  const { mode, includeOtherFields, assignments } = node.parameters;
  if (versionOf(node) < KEEPS_NOTHING || (mode !== undefined && mode !== 'manual')) return false;
  if (includeOtherFields !== undefined && includeOtherFields !== false) return false;
  const list = isRecord(assignments) ? assignments['assignments'] : undefined;
  if (!Array.isArray(list) || list.length === 0) return false;
  return list.every((one: unknown) => {
    const name = isRecord(one) ? own(one, 'name') : undefined;
    return typeof name === 'string' && !name.startsWith('=') && name.split(/[.[]/)[0] !== field;
  });
}
