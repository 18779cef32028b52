import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** n8n refuses to save a group that lists a node the workflow does not have. */
export const badNodeGroup: Rule = {
  id: 'bad-node-group',
  group: 'structure',
  title: 'Node groups list only ids of nodes in the workflow.',
  severity: 'error',
  fixesSafely: true,
  check({ workflow, nodes }, report) {
    const groups = own(workflow, 'nodeGroups');
    if (!Array.isArray(groups)) return;
    const ids = new Set(nodes.map(({ raw }) => own(raw, 'id')));
    for (const [index, group] of (groups as readonly unknown[]).entries()) {
      const members = isRecord(group) ? own(group, 'nodeIds') : undefined;
      if (!Array.isArray(members)) continue;
      for (const [place, id] of (members as readonly unknown[]).entries()) {
        if (ids.has(id)) continue;
        const path = `/nodeGroups/${index}/nodeIds/${place}`;
        report({
          path,
          message: 'No node has this id. Remove it from the group.',
          ...(members.length > 1 && {
            fix: { description: 'Remove it from the group.', safe: true, patch: [{ op: 'remove' as const, path }] },
          }),
        });
      }
    }
  },
};
