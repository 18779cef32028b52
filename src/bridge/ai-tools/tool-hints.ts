import { type Annotations, type Effect, hints } from '../../kernel/effect.ts';
import type { Node } from '../../n8n/client/shapes.ts';

/** What people and clients see of an AI tool besides what n8n says of it. */
export interface ToolHints {
  readonly title: string;
  readonly annotations: Annotations;
}

/** Think or reckon, and ask nobody. */
const inward = /\.(toolCalculator|toolThink|dateTimeTool)$/;
/** Look something up elsewhere. */
const lookups = /\.(toolWikipedia|toolSerpApi|toolSearXng|toolWolframAlpha|toolVectorStore|vectorStore\w+)$/;
const http = /\.(toolHttpRequest|httpRequestTool)$/;

const methods = new Map<unknown, Effect>([
  ['GET', 'read'],
  ['HEAD', 'read'],
  ['PUT', 'update'],
  ['DELETE', 'delete'],
]);

/** The verbs that n8n's nodes begin the names of their operations with. */
const verbs: readonly [RegExp, Effect][] = [
  [/^(get|list|search|find|read|lookup|count|download)(?=$|[A-Z])/, 'read'],
  [/^(delete|remove|clear)(?=$|[A-Z])/, 'delete'],
  [/^(update|upsert|edit|rename|move)(?=$|[A-Z])/, 'update'],
  [/^(create|add|insert|append|send|reply|post|upload|copy)(?=$|[A-Z])/, 'create'],
];

/** What a tool does, as far as its node shows it. What is left open, or decided by an expression, may be the worst. */
function effectOf({ type, parameters }: Pick<Node, 'type' | 'parameters'>): Effect {
  if (inward.test(type) || lookups.test(type)) return 'read';
  // Left out, it is n8n's default.
  if (http.test(type)) return methods.get(parameters.method ?? 'GET') ?? 'execute';
  const { operation } = parameters;
  return (typeof operation === 'string' && verbs.find(([begins]) => begins.test(operation))?.[1]) || 'execute';
}

export function hintsOf(node: Pick<Node, 'name' | 'type' | 'parameters'>): ToolHints {
  const openWorldHint = !inward.test(node.type);
  return { title: node.name, annotations: { title: node.name, ...hints[effectOf(node)], openWorldHint } };
}

/** Hints by the names that n8n lists. A kind of tool that names itself is known where it is the only one. */
export function listedHints({
  listed,
  tools,
}: {
  readonly listed: readonly string[];
  readonly tools: readonly { readonly name: string; readonly hints?: ToolHints }[];
}): [string, ToolHints][] {
  const strange = listed.filter((name) => !tools.some((tool) => tool.name === name));
  const unlisted = tools.filter(({ name }) => !listed.includes(name));
  return listed.flatMap((name): [string, ToolHints][] => {
    const own = tools.find((tool) => tool.name === name);
    const meant = own ?? (strange.length === 1 && unlisted.length === 1 ? unlisted[0] : undefined);
    return meant?.hints ? [[name, meant.hints]] : [];
  });
}
