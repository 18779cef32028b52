import type { Mode } from '../../../nodes/description.ts';
import { matches } from '../../../nodes/configuration/guarded-regex.ts';
import { pointer } from '../../json/json-pointer.ts';
import { isRecord } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { checkedNodes, isDeep, isExpression } from '../../parameters/checked-fields.ts';
import { isPlaceholder } from '../../parameters/left-open.ts';
import { textOf } from '../../messages/text-of.ts';
import { called, quoted } from '../../messages/wording.ts';

const kinds = new Set(['resourceLocator', 'workflowSelector', 'agentSelector']);
const LONGEST = 2000;

/** n8n checks this when it starts or publishes a workflow, even for an empty value. */
export const resourceLocatorValue: Rule = {
  id: 'resource-locator-value',
  group: 'parameters',
  title: 'The value of a resource locator has the format of its mode: a URL, an id of that service.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const node of checkedNodes(subject)) {
      for (const field of node.fields()) {
        const { property, value } = field;
        if (!kinds.has(property.type) || !isRecord(value)) continue;
        const { mode: name, value: target } = value;
        if (isExpression(target) || (typeof target === 'object' && target !== null)) continue;
        const text = target === null ? '' : textOf(target);
        // required-parameter reports an empty required value.
        if (text === '' && (property.required === true || isDeep(field))) continue;
        const mode = property.modes?.find((one) => one.name === name);
        const why = mode && refusalOf(mode, text);
        if (why === undefined) continue;
        // Left for the next user to fill in, like a credential: "url" in the mode "url" says what belongs there.
        const isOpen = text === '' || text === name || isPlaceholder(text);
        report({
          node: node.name,
          path: pointer(field.pointer, 'value'),
          ...(isOpen && subject.purpose === 'run' && { severity: 'warning' as const }),
          message: `${text === '' ? 'An empty value' : quoted(text)} is not valid for ${called(property)} in the mode "${mode?.name}": ${why}. Fix it, or use another mode.`,
        });
      }
    }
  },
};

function refusalOf({ validation = [] }: Mode, text: string): string | undefined {
  for (const { type, properties } of validation) {
    if (type !== 'regex' || !isRecord(properties) || typeof properties['regex'] !== 'string') continue;
    if (text.length > LONGEST || matches(`^${properties['regex']}$`, text)) continue;
    return typeof properties['errorMessage'] === 'string' ? properties['errorMessage'] : 'it has the wrong format';
  }
  return undefined;
}
