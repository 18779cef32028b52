import { configured } from '../../../nodes/configuration/configuration.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';

/**
 * n8n then takes the newest, also one that the parameters were not written for. For what is shown it counts as version 0,
 * though: parameters that came with a later one are dropped before the node runs, and Edit Fields keeps what it would have
 * left out. Only of what has a single version that is all the same.
 */
export const typeVersionMissing: Rule = {
  id: 'type-version-missing',
  group: 'structure',
  title: 'Every node says which version of its type it is written for.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check({ nodes }, report) {
    for (const node of nodes) {
      const { raw, pointer, name, summary } = node;
      if (!summary || (raw['typeVersion'] ?? undefined) !== undefined) continue;
      const lost = droppedOf(node);
      const isNull = raw['typeVersion'] === null;
      report({
        path: isNull ? `${pointer}/typeVersion` : pointer,
        node: name,
        ...(lost === undefined && isHarmless(node) && { severity: 'warning' as const }),
        message:
          lost === undefined
            ? `The node has no "typeVersion": n8n takes the newest it has, today and after an update, whatever it was written for. Give ${summary.latest}, for which it was checked here.`
            : `The node has no "typeVersion", and without one n8n drops its "${lost}". Give ${summary.latest}, for which it was checked here.`,
        fix: {
          description: `Give it the version ${summary.latest}.`,
          safe: false,
          changes: `n8n runs it as version ${summary.latest}: what it passes over without a version begins to count.`,
          patch: [{ op: isNull ? 'replace' : 'add', path: `${pointer}/typeVersion`, value: summary.latest }],
        },
      });
    }
  },
};

function isHarmless({ summary, disabled }: NodeView): boolean {
  return disabled || summary?.versions.length === 1;
}

/** The first parameter that the newest version has and that no version would not. */
function droppedOf({ description, parameters, configuration, disabled }: NodeView): string | undefined {
  const now = configuration();
  if (!description || !now || disabled) return undefined;
  const kept = new Set(
    configured(description, parameters, 0)
      .properties()
      .map((property) => property.name),
  );
  return now
    .properties()
    .map((property) => property.name)
    .find((name) => Object.hasOwn(parameters, name) && !kept.has(name));
}
