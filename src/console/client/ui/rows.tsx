import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface RowsProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  readonly row: (item: T, index: number) => ComponentChildren;
  /** All rows are this high, in pixels. */
  readonly height: number;
  /** Called when somebody comes near the end: more may be loaded. */
  readonly onEnd?: () => void;
  /** Called when somebody scrolls away from the top or back. */
  readonly onTop?: (isTop: boolean) => void;
}

const AROUND = 8;

/** A long list of which only what is visible is in the page: a hundred thousand rows scroll like ten. */
export function Rows<T>({ label, items, keyOf, row, height, onEnd, onTop }: RowsProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const tall = useSignal(600);
  const wasTop = useRef(true);

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watching = new ResizeObserver(() => (tall.value = element.clientHeight));
    watching.observe(element);
    return () => watching.disconnect();
  }, []);

  function scrolled(event: { currentTarget: HTMLDivElement }): void {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    top.value = scrollTop;
    if (scrollTop + clientHeight > scrollHeight - 5 * height) onEnd?.();
    const isTop = scrollTop < height;
    if (isTop !== wasTop.current) onTop?.((wasTop.current = isTop));
  }

  const first = Math.max(0, Math.floor(top.value / height) - AROUND);
  const last = Math.min(items.length, Math.ceil((top.value + tall.value) / height) + AROUND);
  const shown = items.slice(first, last);
  return (
    <div ref={box} class="rows" role="list" aria-label={label} tabIndex={0} onScroll={scrolled}>
      <div class="all" role="presentation" style={{ height: `${items.length * height}px` }}>
        {shown.map((item, index) => (
          <div
            key={keyOf(item)}
            class="row"
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ height: `${height}px`, transform: `translateY(${(first + index) * height}px)` }}
          >
            {row(item, first + index)}
          </div>
        ))}
      </div>
    </div>
  );
}
