import { createHash } from 'node:crypto';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

export const duplicateNodeId: Rule = {
  id: 'duplicate-node-id',
  group: 'structure',
  title: 'No two nodes have the same id.',
  severity: 'error',
  fixesSafely: true,
  check({ nodes }, report) {
    const seen = new Map<string, number>();
    for (const { raw, name, pointer, index } of nodes) {
      const id = own(raw, 'id');
      // n8n assigns an id to a node without one.
      if (typeof id !== 'string' || id === '') continue;
      const first = seen.get(id);
      if (first === undefined) {
        seen.set(id, index);
        continue;
      }
      const path = `${pointer}/id`;
      report({
        path,
        node: name,
        message: `/nodes/${first} has the same id, and n8n does not save duplicate ids. Give this node another id, or leave "id" out.`,
        fix: {
          description: 'Give it a new id.',
          safe: true,
          patch: [{ op: 'replace', path, value: idFor(`${index} ${id} ${name}`) }],
        },
      });
    }
  },
};

/** A UUID that stays the same for the same workflow. */
function idFor(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
