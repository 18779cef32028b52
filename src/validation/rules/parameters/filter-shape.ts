import { didYouMean, inQuotes, sentences } from '../../../kernel/nearest-names.ts';
import { pointer } from '../../json/json-pointer.ts';
import { isRecord, type Rec } from '../../json/record.ts';
import type { Report, Rule } from '../../rule.ts';
import { type CheckedField, givenFields, isExpression } from '../../parameters/checked-fields.ts';
import { operationMeant, operations } from '../../parameters/filter-operators.ts';
import { choiceMeant, meant } from '../../messages/near-choice.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { called, listed, quoted } from '../../messages/wording.ts';

const EXAMPLE =
  '{ "combinator": "and", "conditions": [ { "leftValue": "={{ $json.x }}", "rightValue": "y", "operator": { "type": "string", "operation": "equals" } } ], "options": { … } }';

/** The conditions of If, Filter and Switch in their newer versions. */
export const filterShape: Rule = {
  id: 'filter-shape',
  group: 'parameters',
  title: 'Conditions are a list with a combinator, and each has an operator that exists for its type.',
  severity: 'error',
  check(subject, report) {
    for (const field of givenFields(subject, 'filter')) {
      const { property, value, node } = field;
      if (value === null || value === '' || isExpression(value)) continue;
      const say: Say = (path, message, more = {}) => report({ node: node.name, path, message, ...more });
      if (!isRecord(value)) {
        say(field.pointer, `${called(property)} must be an object, not ${kindOf(value)}. Write ${EXAMPLE}.`);
        continue;
      }
      checkFilter(field, value, say);
    }
  },
};

type Say = (path: string, message: string, more?: Partial<Parameters<Report>[0]>) => void;

function checkFilter(field: CheckedField, filter: Rec, say: Say): void {
  const { conditions, combinator } = filter;
  if (Object.keys(filter).length === 0) return;
  if (!Array.isArray(conditions)) {
    const old = ['string', 'number', 'boolean', 'dateTime'].some((type) => Array.isArray(filter[type]));
    const why = old ? 'is in the format of an older version of the node (lists by type)' : 'has no list "conditions"';
    say(field.pointer, `${called(field.property)} ${why}. Write ${EXAMPLE}.`);
    return;
  }
  if (combinator !== undefined && !isExpression(combinator) && combinator !== 'and' && combinator !== 'or') {
    const path = pointer(field.pointer, 'combinator');
    const right = typeof combinator === 'string' ? combinatorMeant(combinator) : undefined;
    say(path, `The combinator ${quoted(combinator)} does not exist, so no item passes. Use "and" or "or".`, {
      ...(right && {
        fix: {
          description: `Set it to "${right}".`,
          safe: false,
          changes: 'Items can pass. Now none does.',
          patch: [{ op: 'replace', path, value: right }],
        },
      }),
    });
  }
  conditions.forEach((condition: unknown, index) => {
    const path = pointer(field.pointer, 'conditions', index);
    if (isExpression(condition)) return;
    if (isRecord(condition)) checkCondition(condition, path, say);
    else say(path, `A condition must be an object with leftValue, rightValue and operator, not ${kindOf(condition)}.`);
  });
}

function combinatorMeant(given: string): 'and' | 'or' | undefined {
  const folded = given.toLowerCase();
  if (folded === 'and' || folded === 'all') return 'and';
  return folded === 'or' || folded === 'any' ? 'or' : undefined;
}

function checkCondition({ operator }: Rec, path: string, say: Say): void {
  const at = pointer(path, 'operator');
  if (!isRecord(operator)) {
    const given = operator === undefined ? 'is missing' : `is ${kindOf(operator)}`;
    say(at, `The operator of the condition ${given}. Write { "type": "string", "operation": "equals" }.`);
    return;
  }
  const { type, operation } = operator;
  if (isExpression(type) || isExpression(operation)) return;
  const known = typeof type === 'string' ? operations.get(type) : undefined;
  if (!known || typeof type !== 'string') {
    const types = [...operations.keys()];
    const right = typeof type === 'string' ? meant(type, types) : undefined;
    say(
      pointer(at, 'type'),
      `The operator has ${type === undefined ? 'no type' : `the type ${quoted(type)}`}. Use one of: ${listed(types)}.`,
      {
        ...(right !== undefined && { fix: replaced(pointer(at, 'type'), right) }),
      },
    );
    return;
  }
  if (typeof operation !== 'string') {
    say(pointer(at, 'operation'), `The operator has no operation. ${type} has: ${listed(known)}.`);
    return;
  }
  if (known.includes(operation)) return;
  const right = operationMeant(type, operation) ?? meant(operation, known);
  const elsewhere = [...operations].filter(([, names]) => names.includes(operation)).map(([name]) => name);
  const hint = right === undefined ? choiceMeant(operation, known) : didYouMean(inQuotes([right]));
  say(
    pointer(at, 'operation'),
    `There is no operation ${quoted(operation)} for ${type}, so n8n treats the condition as false. ${sentences(hint, `It has: ${listed(known)}.`)}` +
      (elsewhere.length > 0 ? ` ${quoted(operation)} exists for ${listed(elsewhere)}.` : ''),
    right === undefined ? {} : { fix: replaced(pointer(at, 'operation'), right) },
  );
}

function replaced(path: string, value: string) {
  return {
    description: `Set it to "${value}".`,
    safe: false as const,
    changes: 'n8n evaluates the condition. Now it counts as false, or the node fails.',
    patch: [{ op: 'replace' as const, path, value }],
  };
}
