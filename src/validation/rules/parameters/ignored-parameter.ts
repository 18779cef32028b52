import type { DisplayOptions, Property } from '../../../nodes/description.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Rule } from '../../rule.ts';
import { checkedNodes } from '../../parameters/checked-fields.ts';
import { levelsOf, saysNothing, shownPlaces } from '../../parameters/parameter-levels.ts';
import { isUndecided } from '../../parameters/choices.ts';
import { listed } from '../../messages/wording.ts';

/** The editor leaves such values behind when a setting changes. In a hand-written workflow they show a forgotten setting. */
export const ignoredParameter: Rule = {
  id: 'ignored-parameter',
  group: 'parameters',
  title: 'The node uses every given value with its other settings.',
  severity: 'warning',
  check(subject, report) {
    for (const node of checkedNodes(subject)) {
      const visible = shownPlaces(node);
      let isOpen: boolean | undefined;
      for (const level of levelsOf(node)) {
        for (const key of Object.keys(level.given)) {
          const path = pointer(level.pointer, key);
          if (visible.has(path) || saysNothing(level.given[key])) continue;
          const hidden = level.properties.filter(({ name }) => name === key);
          if (
            hidden.length === 0 ||
            hidden.some(({ type, default: usual }) => type === 'hidden' || usual === level.given[key])
          )
            continue;
          if ((isOpen ??= isUndecided(node))) continue;
          const when = conditionOf(hidden);
          report({
            node: node.name,
            path,
            message: `n8n ignores "${key}" with the other settings of this node${when}. Remove it, or change those settings.`,
          });
        }
      }
    }
  },
};

/** Only a single, simple condition fits into the message. */
function conditionOf(properties: readonly Property[]): string {
  const [property] = properties;
  const show: DisplayOptions['show'] = properties.length === 1 ? property?.displayOptions?.show : undefined;
  if (!show) return '';
  const parts = Object.entries(show)
    .filter(([key, values]) => !key.startsWith('@') && values.every((value) => typeof value !== 'object'))
    .map(([key, values]) => `${key.replace(/^\//, '')} is ${listed(values, 4)}`);
  return parts.length === 0 ? '' : `: it applies only if ${parts.join(' and ')}`;
}
