import { type Finding, valueAt } from '../../host/config/schema-problems.ts';
import { nearestName } from '../../kernel/nearest-names.ts';

/** Rules that do not exist. They are loaded only where the file names one: whoever serves has no use for them yet. */
export async function unknownRules(tree: unknown): Promise<Finding[]> {
  const given = valueAt(tree, ['validation', 'rules']);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
  const names = Object.keys(given);
  if (names.length === 0) return [];
  const [{ rules }, { ruleGroups }] = await Promise.all([
    import('../../validation/rules/index.ts'),
    import('../../validation/rule.ts'),
  ]);
  const known = [...ruleGroups, ...rules.map(({ id }) => id)];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearestName(name, known);
      const groups = ruleGroups.join(', ');
      return {
        path: ['validation', 'rules', name],
        message: 'is no rule of the validator',
        fix:
          meant === undefined
            ? `Name a rule (docs/validation.md lists them) or a group: ${groups}.`
            : `Did you mean "${meant}"?`,
      };
    });
}
