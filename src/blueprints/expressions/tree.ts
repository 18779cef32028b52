import type { Node } from './parsing.ts';

/** The nodes directly in a node. */
export function nodesIn({ exprKind }: Node): readonly Node[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return present([exprKind.value.operand]);
    case 'callExpr':
      return present([exprKind.value.target, ...exprKind.value.args]);
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return present(
        exprKind.value.entries.flatMap(({ keyKind, value }) => [
          keyKind.case === 'mapKey' ? keyKind.value : undefined,
          value,
        ]),
      );
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
      return present([iterRange, accuInit, loopCondition, loopStep, result]);
    }
    default:
      return [];
  }
}

/** A node and all nodes in it. Without recursion: `!!!…` is as deep as it is long. */
export function* allNodes(root: Node): Iterable<Node> {
  const left = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    yield node;
    left.push(...nodesIn(node));
  }
}

/** The text that a node is, if it is a literal one. */
export function textIn(node: Node | undefined): string | undefined {
  if (node?.exprKind.case !== 'constExpr') return undefined;
  const { constantKind } = node.exprKind.value;
  return constantKind.case === 'stringValue' ? constantKind.value : undefined;
}

const present = (nodes: readonly (Node | undefined)[]): Node[] => nodes.filter((node) => node !== undefined);
