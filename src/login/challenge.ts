/** What a server says when it refuses us, as far as it concerns signing in. */
export interface Challenge {
  /** Where it describes itself (RFC 9728). */
  resourceMetadata?: string;
  /** What is needed for this request. */
  scope?: string;
  error?: string;
}

// A name begins where none goes on already: else a long one without a value would be tried from each of its letters.
const PARAMETER = /(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g;

/** Reads the Bearer challenge of a WWW-Authenticate header; several headers come joined by commas. */
export function readChallenge(header: string | undefined): Challenge {
  const bearer = /(?:^|[\s,])(?:bearer|dpop)\s+(.*)$/is.exec(header ?? '')?.[1];
  const found = new Map<string, string>();
  for (const [, name = '', quoted, bare] of (bearer ?? '').matchAll(PARAMETER)) {
    // What stands behind a further scheme does not replace what came first.
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
  }
  const resourceMetadata = found.get('resource_metadata');
  const scope = found.get('scope');
  const error = found.get('error');
  return { ...(resourceMetadata && { resourceMetadata }), ...(scope && { scope }), ...(error && { error }) };
}
