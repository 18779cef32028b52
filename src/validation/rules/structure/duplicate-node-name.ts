import type { Rule } from '../../rule.ts';

/** Connections and expressions find a node by its name. */
export const duplicateNodeName: Rule = {
  id: 'duplicate-node-name',
  group: 'structure',
  title: 'No two nodes have the same name.',
  severity: 'error',
  check({ nodes }, report) {
    const taken = new Set(nodes.map(({ name }) => name));
    const seen = new Map<string, number>();
    for (const { name, pointer, index } of nodes) {
      const first = seen.get(name);
      if (first === undefined) {
        seen.set(name, index);
        continue;
      }
      const value = freeName(name, taken);
      const path = `${pointer}/name`;
      report({
        path,
        node: name,
        message: `/nodes/${first} is also called "${name}", and n8n connects nodes by name. Rename one of them, and update its connections and expressions.`,
        // Nobody can tell which of the two the connections mean.
        fix: {
          description: `Rename it to "${value}".`,
          safe: false,
          changes: `All connections and expressions that say "${name}" then mean the other node.`,
          patch: [{ op: 'replace', path, value }],
        },
      });
    }
  },
};

function freeName(name: string, taken: Set<string>): string {
  let number = 1;
  while (taken.has(`${name}${number}`)) number++;
  taken.add(`${name}${number}`);
  return `${name}${number}`;
}
