import { type Finding, valueAt } from '../../host/config/schema-problems.ts';
import { didYouMean, inQuotes, nearestName } from '../../kernel/nearest-names.ts';

/** Finds rules in the file that do not exist. Loads the rules only if the file names one, to keep the start fast. */
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
      const groups = ruleGroups.join(', ');
      return {
        path: ['validation', 'rules', name],
        message: 'is not a rule of the validator',
        fix: didYouMean(
          inQuotes([nearestName(name, known)]),
          `Name a rule (docs/validation.md lists them) or a group: ${groups}.`,
        ),
      };
    });
}
