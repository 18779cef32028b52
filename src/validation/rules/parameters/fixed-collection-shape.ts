import { didYouMean, inQuotes, sentences, shown } from '../../../kernel/nearest-names.ts';
import type { Group } from '../../../nodes/description.ts';
import type { LikelyFix } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import { isRecord } from '../../json/record.ts';
import type { Report, Rule } from '../../rule.ts';
import { type CheckedField, givenFields, isExpression, takesMany } from '../../parameters/checked-fields.ts';
import { meant } from '../../messages/near-choice.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { called, listed } from '../../messages/wording.ts';

/** More than any node has. */
const MOST_GROUPS = 100;

/** An object of groups. If several entries are allowed, each group is a list. n8n fails on some mistakes and drops others. */
export const fixedCollectionShape: Rule = {
  id: 'fixed-collection-shape',
  group: 'parameters',
  title: 'A field with groups of values has only known groups, as lists if it allows several entries.',
  severity: 'error',
  check(subject, report) {
    for (const field of givenFields(subject, 'fixedCollection')) {
      const { property, value, node } = field;
      if (value === null || value === '' || isExpression(value)) continue;
      const groups = groupsOf(field);
      if (isRecord(value)) checkGroups(field, groups, value, report);
      else if (!(Array.isArray(value) && value.length === 0)) {
        report({
          node: node.name,
          path: field.pointer,
          message: `${called(property)} must be an object of groups, not ${kindOf(value)}. Write ${exampleOf(field, groups)}.`,
          ...wrapped(field, groups),
        });
      }
    }
  },
};

function groupsOf({ property }: CheckedField): readonly Group[] {
  return (property.options ?? []).filter((option): option is Group => 'values' in option);
}

function exampleOf({ property }: CheckedField, groups: readonly Group[]): string {
  const name = groups[0]?.name ?? 'values';
  return takesMany(property) ? `{ "${name}": [ { … } ] }` : `{ "${name}": { … } }`;
}

/** A bare list of objects can only belong in the single group. */
function wrapped({ property, value, pointer: path }: CheckedField, groups: readonly Group[]) {
  const [only] = groups;
  if (groups.length !== 1 || !only || !takesMany(property) || !Array.isArray(value) || !value.every(isRecord))
    return {};
  const description = `Put the list into "${only.name}".`;
  const fix: LikelyFix = {
    description,
    safe: false,
    changes: 'Its entries take effect.',
    patch: [{ op: 'replace', path, value: { [only.name]: value } }],
  };
  return { fix };
}

function checkGroups(
  field: CheckedField,
  groups: readonly Group[],
  value: Readonly<Record<string, unknown>>,
  report: Report,
): void {
  const names = groups.map(({ name }) => name);
  for (const key of Object.keys(value).slice(0, MOST_GROUPS)) {
    const path = pointer(field.pointer, key);
    const given = value[key];
    if (!names.includes(key)) unknownGroup(field, names, key, value, report);
    else if (given === null || isExpression(given)) continue;
    else if (takesMany(field.property)) checkList(field, key, given, path, report);
    else if (!isRecord(given)) {
      const first: unknown = Array.isArray(given) && given.length === 1 ? given[0] : undefined;
      if (Array.isArray(given) && given.length === 0) continue;
      report({
        node: field.node.name,
        path,
        message: `"${key}" of ${called(field.property)} must be one object, not ${kindOf(given)}. Write { … }.`,
        // n8n cannot read this option and runs the node without it.
        ...(field.path.length > 1 && !Array.isArray(given) && { severity: 'warning' }),
        ...(isRecord(first) && {
          fix: {
            description: 'Take it out of the list.',
            safe: false,
            changes: 'Its values take effect.',
            patch: [{ op: 'replace', path, value: first }],
          },
        }),
      });
    }
  }
}

function checkList(field: CheckedField, key: string, given: unknown, path: string, report: Report): void {
  const { node, property } = field;
  if (!Array.isArray(given)) {
    report({
      node: node.name,
      path,
      message: `"${key}" of ${called(property)} must be a list of objects, not ${kindOf(given)}: n8n cannot read the node. Write [ { … } ].`,
      ...(isRecord(given) && {
        fix: {
          description: 'Make it a list.',
          safe: false,
          changes: 'The entry takes effect. Now n8n cannot read the node.',
          patch: [{ op: 'replace', path, value: [given] }],
        },
      }),
    });
    return;
  }
  given.forEach((item: unknown, index) => {
    if (isRecord(item)) return;
    report({
      node: node.name,
      path: pointer(path, index),
      message: `An entry of "${key}" of ${called(property)} must be an object, not ${kindOf(item)}. Write { … }, or remove it.`,
    });
  });
}

function unknownGroup(
  field: CheckedField,
  names: readonly string[],
  key: string,
  value: Readonly<Record<string, unknown>>,
  report: Report,
): void {
  const given = value[key];
  if (given === null || given === '' || (typeof given === 'object' && Object.keys(given).length === 0)) return;
  const free = names.filter((name) => !Object.hasOwn(value, name));
  const name =
    meant(key, free) ?? (names.length === 1 && free.length === 1 && typeof given === 'object' ? free[0] : undefined);
  const path = pointer(field.pointer, key);
  report({
    node: field.node.name,
    path,
    message: sentences(
      `${called(field.property)} has no group "${shown(key)}", so n8n ignores it.`,
      didYouMean(inQuotes([name])),
      `It has: ${listed(names)}.`,
    ),
    // If no group is right, all values are lost.
    ...(name === undefined && free.length < names.length ? { severity: 'warning' as const } : {}),
    ...(name !== undefined && {
      fix: {
        description: `Rename "${shown(key)}" to "${name}".`,
        safe: false,
        changes: `The entries of "${name}" take effect.`,
        patch: [
          { op: 'add', path: pointer(field.pointer, name), value: given },
          { op: 'remove', path },
        ],
      },
    }),
  });
}
