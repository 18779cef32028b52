import type { Json } from '../../kernel/source.ts';

/** The body that a webhook of n8n answered with, as the tools describe it: not a shortened one, which would look whole. */
export function bodyIn({ body, bytes, content_type, sha256, file }: Json): unknown {
  if (bytes === undefined) return body ?? null;
  if (body !== undefined) return { too_large: true, bytes };
  return { bytes, content_type, sha256, file };
}
