import type { Node } from '../../n8n/client/shapes.ts';
import { leavesOf } from '../../n8n/find/leaves.ts';

/** Exists only while a workflow runs: the current item, and the output of other nodes. */
const context = /\$\(\s*['"`][^'"`]*['"`]\s*\)|\$(?:json|input|node|binary|items|prevNode|data|position)\b/;
/** In other code, `$json` and the like are its own input. Only these refer to other nodes. */
const elsewhere = /\$\(\s*['"`][^'"`]*['"`]\s*\)|\$node\b|\$items\b|\$prevNode\b/;
/** A Code tool gets the caller's arguments as `query`. `$json` and the like come from the workflow it is in. */
const codeTool = '@n8n/n8n-nodes-langchain.toolCode';
const codeKeys: ReadonlySet<string> = new Set(['jsCode', 'pythonCode', 'pythonNativeCode']);

/** Where a node's parameters use data that only a run of their own workflow has, if they do. */
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

/** The parts that n8n evaluates: the inside of `{{ }}` in an expression, code without its comments. */
function textsIn(key: string, text: string): string[] {
  if (!codeKeys.has(key)) return [...text.matchAll(/\{\{([\s\S]*?)\}\}/g)].map((match) => match[1] as string);
  return [text.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)(?:\/\/|#)[^\n]*/g, ' ')];
}
