import type { Rule } from '../../rule.ts';
import { type CheckedField, checkedNodes, givenFields, isExpression } from '../../parameters/checked-fields.ts';
import { cronProblem } from '../../parameters/cron-text.ts';
import { pointer } from '../../json/json-pointer.ts';
import { isRecord, own, type Rec } from '../../json/record.ts';
import type { Field, NodeView } from '../../subject/subject.ts';
import { quoted } from '../../messages/wording.ts';

/** n8n publishes the workflow, and the trigger never fires. */
export const invalidCron: Rule = {
  id: 'invalid-cron',
  group: 'parameters',
  title: 'n8n can parse every cron expression, and it comes due.',
  severity: 'error',
  check(subject, report) {
    const check = (node: string, value: unknown, path: string) => {
      if (typeof value !== 'string' || isExpression(value) || value.includes('{{')) return;
      const problem = value.trim() === '' ? 'it is empty' : cronProblem(value);
      if (problem === undefined) return;
      report({
        node,
        path,
        message: `The cron expression ${quoted(value)} does not work: ${problem}. Example: 0 9 * * 1-5 runs at 9:00 from Monday to Friday.`,
      });
    };
    for (const field of givenFields(subject, 'string')) {
      if (isCron(field)) check(field.node.name, field.value, field.pointer);
    }
    // A missing one, or one under another name, counts as empty.
    for (const node of checkedNodes(subject)) {
      if (node.type !== SCHEDULE) continue;
      for (const field of node.fields()) {
        if (!field.given && isCron({ ...field, node }) && isChosen(node, field)) {
          check(node.name, field.value, field.pointer);
        }
      }
    }
    // n8n adds the polling times when it loads a node, so the package does not describe them.
    for (const node of checkedNodes(subject)) {
      const { pollTimes } = node.parameters;
      if (node.description?.polling !== true || !isRecord(pollTimes) || !Array.isArray(pollTimes['item'])) continue;
      if (node.fields().some(({ path }) => path[0] === 'pollTimes')) continue;
      pollTimes['item'].forEach((item: unknown, index) => {
        if (!isRecord(item) || item['mode'] !== 'custom') return;
        check(
          node.name,
          item['cronExpression'],
          pointer(node.pointer, 'parameters', 'pollTimes', 'item', index, 'cronExpression'),
        );
      });
    }
  },
};

const SCHEDULE = 'n8n-nodes-base.scheduleTrigger';

/** If an expression chooses the kind of interval, the fields of every kind are shown. */
function isChosen({ parameters }: NodeView, { path }: Field): boolean {
  const interval = path
    .slice(0, -1)
    .reduce<unknown>((at, name) => (isRecord(at) || Array.isArray(at) ? own(at as Rec, name) : undefined), parameters);
  return isRecord(interval) && interval['field'] === 'cronExpression';
}

function isCron({ node, property, path }: CheckedField): boolean {
  if (property.name === 'cronExpression') return true;
  return node.type === SCHEDULE && path[0] === 'rule' && property.name === 'expression';
}
