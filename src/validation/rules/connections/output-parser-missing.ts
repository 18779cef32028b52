import type { Fix } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import { takes } from './ports-of.ts';

export const outputParserMissing: Rule = {
  id: 'output-parser-missing',
  group: 'connections',
  title: 'A node that is told to use an output parser has one.',
  severity: { run: 'warning', publish: 'warning' },
  check({ nodes, to }, report) {
    for (const node of nodes) {
      if (node.disabled || node.parameters['hasOutputParser'] !== true || takes(node, 'ai_outputParser') !== true)
        continue;
      if (to(node).some(({ source, targetKind }) => targetKind === 'ai_outputParser' && !source.disabled)) continue;
      const path = `${node.pointer}/parameters/hasOutputParser`;
      const fix: Fix = {
        description: 'Turn it off.',
        safe: true,
        patch: [{ op: 'replace', path, value: false }],
      };
      report({
        path,
        node: node.name,
        message: `"${node.name}" is told to use an output parser (hasOutputParser), and none is connected, so its answer stays plain text. Connect one as ai_outputParser, or turn it off.`,
        fix,
      });
    }
  },
};
