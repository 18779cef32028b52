import { pointer } from '../../json/json-pointer.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** A run by hand uses it instead of the node's output, and fails at what is no list of items. */
export const badPinData: Rule = {
  id: 'bad-pin-data',
  group: 'structure',
  title: 'Pinned data is a list of items by name of the node.',
  severity: { save: 'error', run: 'error' },
  check({ workflow, byName, purpose }, report) {
    const pinned = own(workflow, 'pinData');
    if (pinned === undefined || pinned === null) return;
    if (!isRecord(pinned)) {
      report({
        path: '/pinData',
        message: `"pinData" has to be an object by name of the node, not ${kindOf(pinned)}.`,
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
        // This much n8n saves.
        ...(purpose === 'save' && { severity: 'warning' as const }),
        message: `Pinned data has to be a list of items, [{ "json": { … } }], not ${Array.isArray(items) ? 'a list of something else' : kindOf(items)}.`,
      });
    }
  },
};
