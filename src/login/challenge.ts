/** The parts of a server's refusal that concern signing in. */
export interface Challenge {
  /** URL of the server's metadata (RFC 9728). */
  resourceMetadata?: string;
  /** The scopes this request needs. */
  scope?: string;
  error?: string;
}

// The lookbehind keeps the time linear: without it a long name without a value would be retried from each character.
const PARAMETER = /(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g;

/** Reads the Bearer challenge of a WWW-Authenticate header; several headers come joined by commas. */
export function readChallenge(header: string | undefined): Challenge {
  const bearer = /(?:^|[\s,])(?:bearer|dpop)\s+(.*)$/is.exec(header ?? '')?.[1];
  const found = new Map<string, string>();
  for (const [, name = '', quoted, bare] of (bearer ?? '').matchAll(PARAMETER)) {
    // Parameters of a second scheme do not replace those of the first.
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
  }
  const resourceMetadata = found.get('resource_metadata');
  const scope = found.get('scope');
  const error = found.get('error');
  return { ...(resourceMetadata && { resourceMetadata }), ...(scope && { scope }), ...(error && { error }) };
}
