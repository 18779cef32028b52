import { type Annotations, type Effect, hints } from '../../kernel/effect.ts';
import type { Node } from '../../n8n/client/shapes.ts';

/** Title and annotations of an AI tool. n8n does not send them. */
export interface ToolHints {
  readonly title: string;
  readonly annotations: Partial<Annotations>;
}

/** Only think or calculate. */
const inward = /\.(toolCalculator|toolThink|dateTimeTool)$/;
/** Only look something up. */
const lookups = /\.(toolWikipedia|toolSerpApi|toolSearXng|toolWolframAlpha|toolVectorStore|vectorStore\w+)$/;
const http = /\.(toolHttpRequest|httpRequestTool)$/;

const methods = new Map<unknown, Effect>([
  ['GET', 'read'],
  ['HEAD', 'read'],
  ['PUT', 'update'],
  ['DELETE', 'delete'],
]);

/** Names of operations in n8n's nodes begin with these verbs. */
const verbs: readonly [RegExp, Effect][] = [
  [/^(get|list|search|find|read|lookup|count|download)(?=$|[A-Z])/, 'read'],
  [/^(delete|remove|clear)(?=$|[A-Z])/, 'delete'],
  [/^(update|upsert|edit|rename|move)(?=$|[A-Z])/, 'update'],
  [/^(create|add|insert|append|send|reply|post|upload|copy)(?=$|[A-Z])/, 'create'],
];

/** What a tool does, judged by its node. If that is not set or an expression, assume the worst. */
function effectOf({ type, parameters }: Pick<Node, 'type' | 'parameters'>): Effect {
  if (inward.test(type) || lookups.test(type)) return 'read';
  // n8n's default method is GET.
  if (http.test(type)) return methods.get(parameters.method ?? 'GET') ?? 'execute';
  const { operation } = parameters;
  return (typeof operation === 'string' && verbs.find(([begins]) => begins.test(operation))?.[1]) || 'execute';
}

export function hintsOf(node: Pick<Node, 'name' | 'type' | 'parameters'>): ToolHints {
  const openWorldHint = !inward.test(node.type);
  return { title: node.name, annotations: { title: node.name, ...hints[effectOf(node)], openWorldHint } };
}

/** Hints by listed name. Some node types choose their own tool name; if there is one such tool, the name is matched. */
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
