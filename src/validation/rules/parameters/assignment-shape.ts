import { pointer } from '../../json/json-pointer.ts';
import { isRecord, type Rec } from '../../json/record.ts';
import type { Report, Rule } from '../../rule.ts';
import { type CheckedField, givenFields, isExpression } from '../../parameters/checked-fields.ts';
import { readsAs } from '../../parameters/convertible.ts';
import { meant } from '../../messages/near-choice.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { called, listed, quoted } from '../../messages/wording.ts';

const types = ['string', 'number', 'boolean', 'array', 'object', 'binary', 'dateTime', 'any'];
const EXAMPLE = '{ "assignments": [ { "id": "1", "name": "field", "type": "string", "value": "…" } ] }';

/** The fields that Edit Fields sets. */
export const assignmentShape: Rule = {
  id: 'assignment-shape',
  group: 'parameters',
  title: 'Every assignment has a name, an existing type and a value of that type.',
  severity: 'error',
  check(subject, report) {
    for (const field of givenFields(subject, 'assignmentCollection')) {
      const { property, value, node } = field;
      if (value === null || value === '' || isExpression(value)) continue;
      const assignments = isRecord(value) ? value['assignments'] : undefined;
      if (isRecord(value) && Object.keys(value).length === 0) continue;
      if (!Array.isArray(assignments)) {
        const why = isRecord(value) ? 'has no list "assignments"' : `is ${kindOf(value)}`;
        const wrapped = Array.isArray(value) ? { assignments: value } : undefined;
        report({
          node: node.name,
          path: field.pointer,
          message: `${called(property)} ${why}. Write ${EXAMPLE}.`,
          ...(wrapped && {
            fix: {
              description: 'Put the list into "assignments".',
              safe: false,
              changes: 'The fields are set. Now none is.',
              patch: [{ op: 'replace', path: field.pointer, value: wrapped }],
            },
          }),
        });
        continue;
      }
      const isLenient = ignoresConversions(field);
      assignments.forEach((one: unknown, index) =>
        checkOne(field, one, pointer(field.pointer, 'assignments', index), isLenient, report),
      );
    }
  },
};

/** The option "Ignore type conversion errors" of the node. */
function ignoresConversions({ node }: CheckedField): boolean {
  const { options } = node.parameters;
  return isRecord(options) && options['ignoreConversionErrors'] === true;
}

function checkOne(field: CheckedField, one: unknown, path: string, isLenient: boolean, report: Report): void {
  const node = field.node.name;
  if (!isRecord(one)) {
    report({ node, path, message: `An assignment must be an object, not ${kindOf(one)}. Write ${EXAMPLE}.` });
    return;
  }
  const { name, type, value } = one;
  if (typeof name !== 'string' || name === '') {
    report({
      node,
      path: pointer(path, 'name'),
      severity: 'warning',
      message: 'This assignment has no name, so n8n sets a field without a name. Give it one.',
    });
  }
  // Some nodes fix the type themselves.
  const isTypeFixed =
    isRecord(field.property.typeOptions?.['assignment']) &&
    field.property.typeOptions['assignment']['disableType'] === true;
  if (typeof type === 'string' && !types.includes(type)) {
    const right = meant(type, types);
    report({
      node,
      path: pointer(path, 'type'),
      // n8n uses the value as it is. Only a typo is surely a mistake.
      ...(right === undefined && { severity: 'info' as const }),
      message: `There is no type ${quoted(type)}. Use one of: ${listed(types.slice(0, 6))}.`,
      ...(right !== undefined && {
        fix: {
          description: `Set it to "${right}".`,
          safe: false,
          changes: `n8n converts the value to ${right} instead of leaving it as it is.`,
          patch: [{ op: 'replace', path: pointer(path, 'type'), value: right }],
        },
      }),
    });
    return;
  }
  if (type === undefined && !isTypeFixed) {
    report({
      node,
      path,
      message: `The assignment ${quoted(name)} has no type. Add one of: ${listed(types.slice(0, 6))}.`,
      ...typed(one, path),
    });
    return;
  }
  if (isLenient || typeof type !== 'string' || isExpression(value) || readsAs(value, type)) return;
  report({
    node,
    path: pointer(path, 'value'),
    message: `${quoted(value)} is not a valid ${type}, so the node fails. Write a value of that type, or change the type.`,
  });
}

function typed({ value }: Rec, path: string) {
  const kind = Array.isArray(value) ? 'array' : typeof value;
  if (isExpression(value) || !types.includes(kind)) return {};
  return {
    fix: {
      description: `Add the type "${kind}".`,
      safe: false as const,
      changes: 'The field is set. Now the node fails.',
      patch: [{ op: 'add' as const, path: pointer(path, 'type'), value: kind }],
    },
  };
}
