import { pointer as join } from '../../json/json-pointer.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** As n8n cuts them off when it runs the node. */
const limits = [
  { key: 'maxTries', least: 2, most: 5, unit: 'tries', more: 'tries' },
  { key: 'waitBetweenTries', least: 0, most: 5000, unit: 'milliseconds', more: 'waiting' },
] as const;

/** n8n keeps a larger number and does not follow it. */
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
        // 0 is as good as absent there.
        if (typeof value !== 'number' || value === 0 || (value >= least && value <= most)) continue;
        const path = join(pointer, key);
        const kept = value > most ? most : least;
        report({
          path,
          node: name,
          message: `n8n takes ${least} to ${most} ${unit} for "${key}", and makes ${kept} of ${value}. Write that; for more ${more}, build a loop with a Wait node.`,
          fix: {
            description: `Write ${kept}, which is what n8n does.`,
            safe: true,
            patch: [{ op: 'replace', path, value: kept }],
          },
        });
      }
    }
  },
};
