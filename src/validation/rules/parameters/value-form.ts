import type { Property } from '../../../nodes/description.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { checkedNodes, isDeep, isExpression, takesMany } from '../../parameters/checked-fields.ts';
import { readsAs } from '../../parameters/convertible.ts';
import { isStrictJson } from '../../parameters/json-text.ts';
import { isOutline } from '../../structure/outline.ts';
import { called, quoted } from '../../messages/wording.ts';

/** Formats that a node declares, and that n8n checks when it starts or publishes a workflow. */
export const valueForm: Rule = {
  id: 'value-form',
  group: 'parameters',
  title: 'Every value has the format that its node requires: a tool name, a URL, a date.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    if (isOutline(subject)) return;
    for (const node of checkedNodes(subject)) {
      const hidden = hiddenForms(node);
      for (const field of node.fields()) {
        const { property, value, pointer } = field;
        const form = property.validateType ?? (field.path.length === 1 ? hidden.get(property.name) : undefined);
        if (form === undefined || value === null || value === undefined || isExpression(value)) continue;
        if (isOthers(form, property.type, value) || takesMany(property)) continue;
        const deep = isDeep(field);
        // n8n also checks empty values, except in nested fields.
        if (value === '' && (deep || property.required === true)) continue;
        if (readsAs(value, form)) continue;
        const wanted = wordsFor.get(form.toLowerCase()) ?? `a ${form}`;
        report({
          node: node.name,
          path: pointer,
          message: `${called(property)} must be ${wanted}: n8n refuses ${value === '' ? 'an empty value' : isSecret(form, property) ? 'this value' : quoted(value)}.`,
          ...(deep && { severity: 'warning' as const }),
        });
      }
    }
  },
};

/** n8n applies the format of a hidden property to the visible one of the same name. */
function hiddenForms(node: NodeView): ReadonlyMap<string, string> {
  const properties = node.description?.properties;
  if (!properties) return none;
  let found = forms.get(properties);
  if (!found) {
    found = new Map(
      properties.flatMap(({ name, validateType }) => (validateType ? [[name, validateType] as const] : [])),
    );
    forms.set(properties, found);
  }
  return found;
}

const none: ReadonlyMap<string, string> = new Map();
const forms = new WeakMap<readonly Property[], ReadonlyMap<string, string>>();

/** Other rules check these, and JSON that does not parse. */
function isOthers(form: string, type: string, value: unknown): boolean {
  if (form === 'options' || form === 'form-fields' || type === form || type === 'dateTime') return true;
  return type === 'json' && value !== '' && !(typeof value === 'string' && isStrictJson(value));
}

function isSecret(form: string, { typeOptions }: Property): boolean {
  return form === 'jwt' || typeOptions?.['password'] === true;
}

const wordsFor: ReadonlyMap<string, string> = new Map([
  ['string-alphanumeric', 'letters, digits and underscores, not starting with a digit'],
  ['url', 'a URL such as https://example.com/page'],
  ['jwt', 'a JSON web token'],
  ['array', 'a list such as ["a", "b"]'],
  ['object', 'an object such as { "a": 1 }'],
  ['datetime', 'a date such as 2026-03-31T09:00:00'],
]);
