import { shown } from '../../../kernel/nearest-names.ts';
import { placeIn } from '../../expressions/pieces.ts';
import { triedIn } from '../../expressions/javascript.ts';
import { codeTexts } from '../../expressions/texts.ts';
import { absentInCode, codeGlobals } from '../../code/code-globals.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { isPlaceholder } from '../../parameters/left-open.ts';

/** A name that is not there ends the run with a ReferenceError. */
export const codeUnknownName: Rule = {
  id: 'code-unknown-name',
  group: 'expressions',
  title: 'Every name in code is one that the code or n8n defines; fetch, for example, is not there.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const { node, pointer, text, language, scripts } of codeTexts(subject)) {
      if (language !== 'javascript' || !node.type.endsWith('-base.code')) continue;
      for (const { names, parsed } of scripts) {
        if (!parsed.program) continue;
        const isTried = triedIn(parsed.program, text);
        for (const { name, start } of names.free) {
          // Whoever asks first, or is prepared to fail, knows.
          if (isThere(name, node) || isLookedFor(name, text) || isTried(start)) continue;
          report({
            node: node.name,
            path: pointer,
            message: `The code of a node does not know "${shown(name)}" (${placeIn(text, start)}), and n8n stops there. ${adviceFor(name)}`,
            // What was left for whoever takes the workflow over is to be filled in.
            ...(isPlaceholder(name) && { severity: 'warning' as const }),
          });
        }
      }
    }
  },
};

function isThere(name: string, { parameters }: NodeView): boolean {
  // Other names with $ are another rule's.
  if (name.startsWith('$')) return !absentInCode.has(name);
  const forEach = parameters['mode'] === 'runOnceForEachItem';
  return codeGlobals.has(name) || name === (forEach ? 'item' : 'items');
}

function adviceFor(name: string): string {
  if (name === 'item') return 'It is there in code that runs once for each item; here, items are in $input.all().';
  if (name === 'items') return 'It is there in code that runs once for all items; here, the item is $input.item.';
  return absentInCode.get(name) ?? 'Declare it, or correct the name.';
}

function isLookedFor(name: string, text: string): boolean {
  return text.includes(`typeof ${name}`) || text.includes(`globalThis.${name}`);
}
