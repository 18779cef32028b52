import type { Node } from '../../n8n/client/shapes.ts';
import { leavesOf } from '../../n8n/find/leaves.ts';

/** What is there only while a workflow runs: the item at hand, and what other nodes gave out. */
const context = /\$\(\s*['"`][^'"`]*['"`]\s*\)|\$(?:json|input|node|binary|items|prevNode|data|position)\b/;
/** Code may name its own input what it likes; other nodes it can name in these ways only. */
const elsewhere = /\$\(\s*['"`][^'"`]*['"`]\s*\)|\$node\b|\$items\b|\$prevNode\b/;
/** In a Code tool the caller's arguments are `query`; all else is of the workflow it stands in. */
const codeTool = '@n8n/n8n-nodes-langchain.toolCode';
const codeKeys: ReadonlySet<string> = new Set(['jsCode', 'pythonCode', 'pythonNativeCode']);

/** Where a node's parameters use what only a run of their own workflow has, if they do. */
export function contextUsed(node: Node): { where: string; what: string } | undefined {
  for (const { where, key, text } of leavesOf(node)) {
    const sought = patternFor(node, key, text);
    const found =
      sought &&
      textsIn(key, text)
        .map((part) => sought.exec(part)?.[0])
        .find((what) => what !== undefined);
    if (found !== undefined) return { where: where.replace(/^parameters\./, 'parameter '), what: found };
  }
  return undefined;
}

function patternFor(node: Node, key: string, text: string): RegExp | undefined {
  if (codeKeys.has(key)) return node.type === codeTool ? context : elsewhere;
  return text.startsWith('=') ? context : undefined;
}

/** Of an expression only what is inside the braces is one; in code, comments are none. */
function textsIn(key: string, text: string): string[] {
  if (!codeKeys.has(key)) return [...text.matchAll(/\{\{([\s\S]*?)\}\}/g)].map((match) => match[1] as string);
  return [text.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)(?:\/\/|#)[^\n]*/g, ' ')];
}
