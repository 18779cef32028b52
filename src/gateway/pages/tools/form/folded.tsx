import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface FoldedProps {
  readonly summary: ComponentChildren;
  readonly open: boolean;
  /** Made only while it is open: what is inside may have no end. */
  readonly children: () => ComponentChildren;
}

export function Folded({ summary, open, children }: FoldedProps) {
  const isOpen = useSignal(open);
  return (
    <details class="folded" open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen.value && <div class="inside">{children()}</div>}
    </details>
  );
}
