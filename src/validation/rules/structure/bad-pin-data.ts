import { pointer } from '../../json/json-pointer.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** A manual run uses pinned data instead of the node's output, and fails if it is not a list of items. */
export const badPinData: Rule = {
  id: 'bad-pin-data',
  group: 'structure',
  title: 'Pinned data is a list of items under the name of its node.',
  severity: { save: 'error', run: 'error' },
  check({ workflow, byName, purpose }, report) {
    const pinned = own(workflow, 'pinData');
    if (pinned === undefined || pinned === null) return;
    if (!isRecord(pinned)) {
      report({
        path: '/pinData',
        message: `"pinData" must be an object with node names as keys, not ${kindOf(pinned)}.`,
      });
      return;
    }
    for (const name of Object.keys(pinned)) {
      const items = pinned[name];
      const node = byName(name);
      if (!node || (Array.isArray(items) && items.every(isRecord))) continue;
      report({
        path: pointer('/pinData', name),
        node: name,
        // n8n still saves this.
        ...(purpose === 'save' && { severity: 'warning' as const }),
        message: `Pinned data must be a list of items, [{ "json": { … } }], not ${Array.isArray(items) ? 'a list of other values' : kindOf(items)}.`,
      });
    }
  },
};
