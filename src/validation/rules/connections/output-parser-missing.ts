import { codeTexts } from '../../expressions/texts.ts';
import type { LikelyFix } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { takes } from '../../connections/ports-of.ts';

export const outputParserMissing: Rule = {
  id: 'output-parser-missing',
  group: 'connections',
  title: 'A node that should use an output parser has one.',
  severity: { run: 'warning', publish: 'warning' },
  check(subject, report) {
    for (const node of subject.nodes) {
      if (node.disabled || node.parameters['hasOutputParser'] !== true || takes(node, 'ai_outputParser') !== true)
        continue;
      if (subject.to(node).some(({ source, targetKind }) => targetKind === 'ai_outputParser' && !source.disabled))
        continue;
      const path = `${node.pointer}/parameters/hasOutputParser`;
      const fix: LikelyFix = {
        description: 'Turn "hasOutputParser" off.',
        safe: false,
        changes: 'A parser that you connect later does nothing until you turn it on again.',
        patch: [{ op: 'replace', path, value: false }],
      };
      report({
        path,
        node: node.name,
        message: `"${node.name}" should use an output parser ("hasOutputParser"), but none is connected, so its answer stays plain text. Connect one as ai_outputParser, or turn "hasOutputParser" off.`,
        fix,
        ...(isReadAsText(node, subject) && { severity: 'info' as const }),
      });
    }
  },
};

/** `$json.output`, `$json.output.trim()`: the next node only needs text. */
const WHOLE = /\bjson\.(?:output|text)\b/;
/** `$json.output.title`, `$json.output[0]`, `$json.output.map(…)`: the next node needs parsed data. */
const PART =
  /\bjson\.(?:output|text)\??(?:\[|\.\s*(?:(?!\w+\s*\()|(?:map|filter|find|forEach|some|every|reduce|join)\b))/;

function isReadAsText(node: NodeView, subject: Subject): boolean {
  const next = new Set(subject.from(node).map(({ target }) => target));
  const readers = codeTexts(subject).filter((one) => next.has(one.node) || one.text.includes(node.name));
  return readers.some(({ text }) => WHOLE.test(text)) && !readers.some(({ text }) => PART.test(text));
}
