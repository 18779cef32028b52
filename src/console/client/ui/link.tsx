import type { ComponentChildren } from 'preact';

/** The address if it is one that a browser may open without running anything. */
export function safeHref(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

/** A link to somewhere else; plain text if the address is not one of the web. */
export function Away({ to, children }: { to: string | undefined; children: ComponentChildren }) {
  const href = safeHref(to);
  if (href === undefined) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
