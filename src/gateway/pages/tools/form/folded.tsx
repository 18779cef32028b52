import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface FoldedProps {
  readonly summary: ComponentChildren;
  /** Whether it is open at first, and when this becomes true. */
  readonly open: boolean;
  /** Made only while it is open: what is inside may have no end. */
  readonly children: () => ComponentChildren;
}

export function Folded({ summary, open, children }: FoldedProps) {
  const isOpen = useSignal(open);
  useEffect(() => {
    if (open) isOpen.value = true;
  }, [open]);
  return (
    <details class="folded" open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen.value && <div class="inside">{children()}</div>}
    </details>
  );
}
