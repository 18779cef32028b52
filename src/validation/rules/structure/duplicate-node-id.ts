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
      // n8n gives one to who has none.
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
        message: `/nodes/${first} has this id too, and n8n saves no workflow with one id twice. Give this node another, or leave "id" out.`,
        fix: {
          description: 'Give it an id of its own.',
          safe: true,
          patch: [{ op: 'replace', path, value: idFor(`${index} ${id} ${name}`) }],
        },
      });
    }
  },
};

/** A UUID that is the same whenever the same workflow is looked at. */
function idFor(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
