import type { ComponentChildren } from 'preact';

/** Says what the page waits for. It appears after a moment, so that quick answers do not flash. */
export function Waiting({ children }: { children: ComponentChildren }) {
  return (
    <p class="waiting" role="status">
      {children}
    </p>
  );
}
