import { pointer } from '../../json/json-pointer.ts';
import { isRecord, type Rec } from '../../json/record.ts';
import type { LikelyFix } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import { givenFields, isExpression } from '../../parameters/checked-fields.ts';
import { neededRightType, operations, takesOneValue } from '../../parameters/filter-operators.ts';
import { comparesAs } from '../../parameters/convertible.ts';
import { quoted } from '../../messages/wording.ts';

/** With strict type checks the node fails on a number given as text; without, only on values that cannot be converted. */
export const filterValue: Rule = {
  id: 'filter-value',
  group: 'parameters',
  title: 'Every compared value has the type of the comparison.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { value: filter, pointer: at, node } of givenFields(subject, 'filter')) {
      if (!isRecord(filter) || !Array.isArray(filter['conditions'])) continue;
      const strict = !(isRecord(filter['options']) && filter['options']['typeValidation'] === 'loose');
      const version =
        isRecord(filter['options']) && typeof filter['options']['version'] === 'number'
          ? filter['options']['version']
          : 1;
      filter['conditions'].forEach((condition: unknown, index) => {
        if (!isRecord(condition)) return;
        const path = pointer(at, 'conditions', index);
        for (const { side, type, alone, fix } of wrongValues(condition, path, strict, version)) {
          report({
            node: node.name,
            path: pointer(path, side),
            message: alone
              ? `This operation needs no second value, but without "singleValue": true n8n reads ${quoted(condition[side])} as ${withArticle(type)}, and the node fails. Add "singleValue": true to the operator.`
              : `${quoted(condition[side])} is compared as ${withArticle(type)}, so the node fails. Write ${withArticle(type)}, use an operator of another type, or set options.typeValidation to "loose".`,
            ...(fix && { fix }),
          });
        }
      });
    }
  },
};

interface WrongValue {
  readonly side: 'leftValue' | 'rightValue';
  readonly type: string;
  /** The operation does not use the value, but n8n still checks it. */
  readonly alone?: boolean;
  readonly fix?: LikelyFix;
}

function wrongValues(condition: Rec, path: string, strict: boolean, version: number): WrongValue[] {
  const { operator } = condition;
  if (!isRecord(operator)) return [];
  const { type, operation, singleValue } = operator;
  if (typeof type !== 'string' || typeof operation !== 'string' || !operations.get(type)?.includes(operation))
    return [];
  const rightType = typeof operator['rightType'] === 'string' ? operator['rightType'] : undefined;
  const wrong: WrongValue[] = [];
  const isWrong = (side: WrongValue['side'], wanted: string) =>
    !isTemplate(condition[side]) && !comparesAs(condition[side], wanted, { strict, version });
  if (isWrong('leftValue', type))
    wrong.push({ side: 'leftValue', type, ...converted(condition['leftValue'], type, pointer(path, 'leftValue')) });
  // Without the mark n8n checks the second value even if the operation does not use it.
  if (singleValue === true || !isWrong('rightValue', rightType ?? type)) return wrong;
  const needed = rightType === undefined ? neededRightType(type, operation) : undefined;
  const at = pointer(path, 'rightValue');
  const marks = takesOneValue(operation)
    ? added('Add "singleValue": true.', pointer(path, 'operator', 'singleValue'), true)
    : needed === undefined
      ? converted(condition['rightValue'], rightType ?? type, at)
      : added(`Set "rightType" to "${needed}".`, pointer(path, 'operator', 'rightType'), needed);
  wrong.push({ side: 'rightValue', type: rightType ?? type, alone: takesOneValue(operation), ...marks });
  return wrong;
}

/** With `=` it is an expression. Without, the expression rules report the missing `=`. */
function isTemplate(value: unknown): boolean {
  return typeof value === 'string' && (isExpression(value) || value.includes('{{'));
}

const changes = 'n8n evaluates the condition. Now the node fails.';

function added(description: string, path: string, value: unknown): { fix: LikelyFix } {
  return { fix: { description, safe: false, changes, patch: [{ op: 'add', path, value }] } };
}

function converted(value: unknown, type: string, path: string): { fix?: LikelyFix } {
  const right =
    type === 'number' || type === 'boolean' ? sameValue(value, type) : type === 'string' ? textOf(value) : undefined;
  if (right === undefined) return {};
  return {
    fix: {
      description: `Set it to ${JSON.stringify(right)}.`,
      safe: false,
      changes,
      patch: [{ op: 'replace', path, value: right }],
    },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function sameValue(value: unknown, type: 'number' | 'boolean'): unknown {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  return Number.isFinite(Number(value)) ? Number(value) : undefined;
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
