import { pointer as join } from '../../json/json-pointer.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** n8n clamps the values to these limits when it runs the node. */
const limits = [
  { key: 'maxTries', least: 2, most: 5, unit: 'tries', more: 'tries' },
  { key: 'waitBetweenTries', least: 0, most: 5000, unit: 'milliseconds', more: 'waiting time' },
] as const;

/** n8n stores a larger number, but does not use it. */
export const retryLimits: Rule = {
  id: 'retry-limits',
  group: 'structure',
  title: 'A node is tried at most 5 times, with at most 5 seconds in between.',
  severity: { run: 'warning', publish: 'warning' },
  fixesSafely: true,
  check({ nodes }, report) {
    for (const { raw, pointer, name, disabled } of nodes) {
      if (disabled || own(raw, 'retryOnFail') !== true) continue;
      for (const { key, least, most, unit, more } of limits) {
        const value = own(raw, key);
        // n8n treats 0 like a missing value.
        if (typeof value !== 'number' || value === 0 || (value >= least && value <= most)) continue;
        const path = join(pointer, key);
        const kept = value > most ? most : least;
        report({
          path,
          node: name,
          message: `n8n accepts ${least} to ${most} ${unit} for "${key}" and uses ${kept} instead of ${value}. Write ${kept}; for more ${more}, build a loop with a Wait node.`,
          fix: {
            description: `Set it to ${kept}, the value that n8n uses anyway.`,
            safe: true,
            patch: [{ op: 'replace', path, value: kept }],
          },
        });
      }
    }
  },
};
