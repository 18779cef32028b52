import { cut } from './cut.ts';
import { type GraphNode, TALL, WIDE } from './drawing.ts';

interface BoxProps {
  readonly node: GraphNode;
  readonly at: { readonly x: number; readonly y: number } | undefined;
  readonly chosen: boolean;
  /** Tab leads to it. */
  readonly isReached: boolean;
  readonly onChoose: ((id: string, isByKey: boolean) => void) | undefined;
  readonly onReach: (id: string) => void;
}

export function Box({ node, at, chosen, isReached, onChoose, onReach }: BoxProps) {
  if (!at) return null;
  const name = [node.label, node.detail, node.badge].filter((part) => part !== undefined).join(', ');
  const reach = onChoose && {
    role: 'button' as const,
    // In SVG, names of attributes are case-sensitive.
    tabindex: isReached ? 0 : -1,
    'aria-pressed': chosen,
    onFocus: () => onReach(node.id),
    onClick: () => onChoose(node.id, false),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      onChoose(node.id, true);
    },
  };
  return (
    <g
      class={`node ${node.tone ?? ''} ${chosen ? 'chosen' : ''} ${node.dim ? 'dim' : ''}`}
      data-id={node.id}
      transform={`translate(${at.x} ${at.y})`}
      {...reach}
    >
      <title>{name}</title>
      <rect width={WIDE} height={TALL} rx="8" />
      <svg width={WIDE - 6} height={TALL}>
        <text x="12" y={node.detail === undefined ? 31 : 22}>
          {cut(node.label, 24)}
        </text>
        {node.detail !== undefined && (
          <text class="detail" x="12" y="40">
            {cut(node.detail, 30)}
          </text>
        )}
      </svg>
      {node.badge !== undefined && (
        <text class="badge" x={WIDE - 8} y="-5" text-anchor="end">
          {cut(node.badge, 24)}
        </text>
      )}
    </g>
  );
}
