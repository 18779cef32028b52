import { didYouMean, nearestNames, sentences } from '../../kernel/nearest-names.ts';
import type { RuleSwitches } from '../../validation/validate.ts';
import { UsageError } from '../../cli/frame.ts';

const severities = ['off', 'error', 'warning', 'info'] as const;

/** `--rule unknown-parameter=off,lint=warning`, checked against the known rules. */
export async function ruleSwitches(given: string | undefined): Promise<RuleSwitches> {
  if (given === undefined) return {};
  const [{ rules }, { ruleGroups }] = await Promise.all([
    import('../../validation/rules/index.ts'),
    import('../../validation/rule.ts'),
  ]);
  const known = [...ruleGroups, ...rules.map(({ id }) => id)];
  const pairs = given.split(',').filter((one) => one.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=').map((part) => part.trim());
      const severity = severities.find((one) => one === value);
      if (!severity) throw new UsageError(`--rule must be ID=off, error, warning or info, not ${pair}`);
      if (!known.includes(name)) {
        const groups = `A group is one of ${ruleGroups.join(', ')}.`;
        throw new UsageError(sentences(`there is no rule ${name}.`, didYouMean(nearestNames(name, known, 1), groups)));
      }
      return [name, severity];
    }),
  );
}
