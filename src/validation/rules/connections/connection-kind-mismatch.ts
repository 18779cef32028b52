import type { Rule } from '../../rule.ts';
import { isKind } from '../../connections/connection-kinds.ts';
import { takes } from '../../connections/ports-of.ts';

export const connectionKindMismatch: Rule = {
  id: 'connection-kind-mismatch',
  group: 'connections',
  title: 'A connection has the same kind at both ends.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check({ edges }, report) {
    for (const { source, target, kind, targetKind, pointer } of edges) {
      if (kind === targetKind || !isKind(kind) || !isKind(targetKind)) continue;
      const path = `${pointer}/type`;
      const fix = {
        description: `Use "${kind}".`,
        safe: false as const,
        changes: `"${source.name}" reaches "${target.name}" as "${kind}".`,
        patch: [{ op: 'replace' as const, path, value: kind }],
      };
      report({
        path,
        node: source.name,
        message: `"${source.name}" is connected to "${target.name}" as "${kind}" at one end and as "${targetKind}" at the other. Both must be the same.`,
        ...(takes(target, kind) !== false && { fix }),
      });
    }
  },
};
