import type { ComponentChildren } from 'preact';

/** Says that there is nothing, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
    </section>
  );
}
