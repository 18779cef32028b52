import { configured } from '../../../nodes/configuration/configuration.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';

/**
 * Without a typeVersion n8n runs the newest version, even if the parameters were written for another. But it decides
 * which parameters are shown as for version 0: it drops those that a later version added, and Edit Fields keeps fields
 * that it should leave out. Only for a type with a single version this makes no difference.
 */
export const typeVersionMissing: Rule = {
  id: 'type-version-missing',
  group: 'structure',
  title: 'Every node says which version of its type it was written for.',
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
            ? `The node has no "typeVersion", so n8n runs its newest version, now and after every update, even if the parameters were written for another. Set it to ${summary.latest}, the version checked here.`
            : `The node has no "typeVersion", so n8n drops its "${lost}". Set it to ${summary.latest}, the version checked here.`,
        fix: {
          description: `Set "typeVersion" to ${summary.latest}.`,
          safe: false,
          changes: `n8n runs the node as version ${summary.latest}: parameters that it skips without a version take effect.`,
          patch: [{ op: isNull ? 'replace' : 'add', path: `${pointer}/typeVersion`, value: summary.latest }],
        },
      });
    }
  },
};

function isHarmless({ summary, disabled }: NodeView): boolean {
  return disabled || summary?.versions.length === 1;
}

/** The first given parameter that the newest version has and that n8n drops without a version. */
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
