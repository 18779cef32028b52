import { didYouMean, inQuotes, sentences } from '../../../kernel/nearest-names.ts';
import type { Choice } from '../../../nodes/description.ts';
import { pointer } from '../../json/json-pointer.ts';
import { versionOf } from '../../subject/node-knowledge.ts';
import type { Report, Rule } from '../../rule.ts';
import type { LikelyFix } from '../../finding.ts';
import { type CheckedField, givenFields, isExpression, isOpenList } from '../../parameters/checked-fields.ts';
import { choicesOf, CUSTOM_API_CALL } from '../../parameters/choices.ts';
import { choiceMeant, meant } from '../../messages/near-choice.ts';
import { textOf } from '../../messages/text-of.ts';
import { called, listed, quoted } from '../../messages/wording.ts';

/** Nobody reads more findings than this. */
const MOST_CHOSEN = 200;

/** Skips expressions, and lists that the service or the instance provides. */
export const unknownOption: Rule = {
  id: 'unknown-option',
  group: 'parameters',
  title: 'A value chosen from a fixed list is in that list.',
  severity: 'error',
  check(subject, report) {
    for (const [at, fields] of byPlace(givenFields(subject, 'options', 'multiOptions'))) {
      const [field] = fields as [CheckedField];
      // Those two have their own rules.
      if (field.path.length === 1 && (field.property.name === 'resource' || field.property.name === 'operation'))
        continue;
      // If another field is an expression, several variants of this field are shown, and any may be the right one.
      if (fields.some(({ property }) => isOpenList(property) || choicesOf(property).length === 0)) continue;
      const choices = fields.flatMap(({ property }) => choicesOf(property));
      if (Array.isArray(field.value)) {
        if (fields.some(({ property }) => property.type === 'options')) continue;
        field.value
          .slice(0, MOST_CHOSEN)
          .forEach((one: unknown, index) => checkOne(field, one, pointer(at, index), choices, report));
      } else if (fields.every(({ property }) => property.type === 'options')) {
        checkOne(field, field.value, at, choices, report);
      }
    }
  },
};

function byPlace(fields: readonly CheckedField[]): Map<string, CheckedField[]> {
  const places = new Map<string, CheckedField[]>();
  for (const field of fields) {
    const list = places.get(field.pointer);
    if (list) list.push(field);
    else places.set(field.pointer, [field]);
  }
  return places;
}

function checkOne(field: CheckedField, value: unknown, path: string, choices: readonly Choice[], report: Report): void {
  // Nothing is chosen yet: required-parameter reports that if necessary.
  if (value === '' || value === null || value === undefined || isExpression(value) || typeof value === 'object') return;
  if (choices.some((choice) => choice.value === value) || value === CUSTOM_API_CALL) return;
  const { node, property } = field;
  const alike = choices.find((choice) => String(choice.value) === textOf(value));
  if (alike) {
    report({
      node: node.name,
      path,
      severity: 'warning',
      message: `${called(property)} is ${quoted(value)} as a ${typeof value}, but n8n expects a ${typeof alike.value}. Write ${JSON.stringify(alike.value)}.`,
      fix: replaced(path, alike.value),
    });
    return;
  }
  const values = [...new Set(choices.map((choice) => String(choice.value)))].filter(
    (one) => one !== CUSTOM_API_CALL && one !== '',
  );
  const text = textOf(value);
  const name = meant(text, values) ?? byTitle(text, choices);
  const right = choices.find((choice) => String(choice.value) === name)?.value;
  const hint = name === undefined ? choiceMeant(text, values) : didYouMean(inQuotes([name]));
  report({
    node: node.name,
    path,
    message: `${quoted(value)} is not an option of ${called(property)}. ${sentences(hint, `It has: ${listed(values)}.`)}`,
    ...((isStillTaken(field, text) || isTakenInAnyCase(field, text, values)) && { severity: 'warning' as const }),
    ...(right !== undefined && { fix: replaced(path, right) }),
  });
}

/** People write the label that the editor shows. */
function byTitle(given: string, choices: readonly Choice[]): string | undefined {
  const found = choices.find(({ name }) => typeof name === 'string' && name.toLowerCase() === given.toLowerCase());
  return found && String(found.value);
}

function replaced(path: string, value: unknown): LikelyFix {
  const right = JSON.stringify(value);
  return {
    description: `Set it to ${right}.`,
    safe: false,
    changes: `The node uses ${right}, and parameters that depend on ${right} take effect.`,
    patch: [{ op: 'replace', path, value }],
  };
}

/** Passed to something that ignores case: HTTP, hashes, Luxon. Most nodes compare options exactly. */
const inAnyCase: ReadonlyMap<string, string> = new Map([
  ['n8n-nodes-base.httpRequest', 'method'],
  ['n8n-nodes-base.httpRequestTool', 'method'],
  ['n8n-nodes-base.crypto', 'type'],
  ['n8n-nodes-base.dateTime', 'timeUnit'],
]);

function isTakenInAnyCase({ node, property }: CheckedField, value: string, choices: readonly string[]): boolean {
  const given = value.toLowerCase();
  return inAnyCase.get(node.type) === property.name && choices.some((choice) => choice.toLowerCase() === given);
}

/** Values that n8n does not offer (any more), but still understands. */
function isStillTaken({ node, property }: CheckedField, value: string): boolean {
  // A form passes the type to the browser, which shows a text field for an unknown type.
  if (property.name === 'fieldType' && /\.form(Trigger)?$/.test(node.type)) return true;
  // Merge accepts these ways of combining as a mode, too.
  if (node.type === 'n8n-nodes-base.merge' && property.name === 'mode' && versionOf(node) >= 3)
    return value === 'combineAll' || value === 'combineByPosition';
  return node.type === 'n8n-nodes-base.code' && property.name === 'language' && value === 'python';
}
