import type { Rule } from '../../rule.ts';

/** n8n runs the target twice with the same items. */
export const duplicateConnection: Rule = {
  id: 'duplicate-connection',
  group: 'connections',
  title: 'No connection appears twice.',
  severity: 'warning',
  check({ edges }, report) {
    const seen = new Set<string>();
    for (const { source, target, kind, targetKind, output, input, pointer } of edges) {
      const key = [source.index, kind, output, target.index, targetKind, input].join('\n');
      if (!seen.has(key)) {
        seen.add(key);
        continue;
      }
      report({
        path: pointer,
        node: source.name,
        message: `"${source.name}" is connected to "${target.name}" twice in the same way${kind === 'main' ? ', so it runs twice with the same items' : ''}. Remove one.`,
        fix: {
          description: 'Remove the second one.',
          safe: false,
          changes: `"${target.name}" gets ${kind === 'main' ? 'the same items once and runs' : `"${source.name}"`} once, not twice.`,
          patch: [{ op: 'remove', path: pointer }],
        },
      });
    }
  },
};
