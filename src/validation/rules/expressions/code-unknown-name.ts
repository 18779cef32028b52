import { shown } from '../../../kernel/nearest-names.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { triedIn } from '../../expressions/javascript.ts';
import { codeTexts } from '../../expressions/texts.ts';
import { absentInCode, codeGlobals } from '../../code/code-globals.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { isPlaceholder } from '../../parameters/left-open.ts';

/** An undefined name ends the run with a ReferenceError. */
export const codeUnknownName: Rule = {
  id: 'code-unknown-name',
  group: 'expressions',
  title: 'Every name in code is defined, by the code or by n8n, which has no fetch, for example.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, language, scripts } of codeTexts(subject)) {
      if (language !== 'javascript' || !node.type.endsWith('-base.code')) continue;
      for (const { names, parsed } of scripts) {
        if (!parsed.program) continue;
        const isTried = triedIn(parsed.program, text);
        for (const { name, start } of names.free) {
          // Code that checks with typeof, or uses the name in a try block, handles this itself.
          if (isThere(name, node) || isLookedFor(name, text) || isTried(start)) continue;
          report({
            node: node.name,
            path: pointer,
            message: `"${shown(name)}" (${placeIn(text, start)}) is not defined in code, so the node fails. ${adviceFor(name)}`,
            // A placeholder is there for the next user to fill in.
            ...(isPlaceholder(name) && { severity: 'warning' as const }),
          });
        }
      }
    }
  },
};

function isThere(name: string, { parameters }: NodeView): boolean {
  // Another rule checks the other names with $.
  if (name.startsWith('$')) return !absentInCode.has(name);
  const forEach = parameters['mode'] === 'runOnceForEachItem';
  return codeGlobals.has(name) || name === (forEach ? 'item' : 'items');
}

function adviceFor(name: string): string {
  if (name === 'item') return 'It exists only in code that runs once for each item. Here, use $input.all().';
  if (name === 'items') return 'It exists only in code that runs once for all items. Here, use $input.item.';
  return absentInCode.get(name) ?? 'Declare it, or correct the name.';
}

function isLookedFor(name: string, text: string): boolean {
  return text.includes(`typeof ${name}`) || text.includes(`globalThis.${name}`);
}
