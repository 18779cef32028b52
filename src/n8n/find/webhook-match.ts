const bare = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** Whether the path `wanted` reaches a webhook at `own`, which may contain `:parameters`. */
export function pathMatches(own: string | undefined, wanted: string): boolean {
  if (own === undefined) return false;
  const [mine, theirs] = [bare(own), bare(wanted)];
  if (mine === theirs) return true;
  if (!mine.includes(':')) return false;
  const [parts, given] = [mine.split('/'), theirs.split('/')];
  return parts.length === given.length && parts.every((part, index) => part.startsWith(':') || part === given[index]);
}

/** The part of a URL after `/webhook/`, `/form/` or `/mcp/`. A bare path stays unchanged. */
export function webhookPathIn(text: string): string {
  const path = text.replace(/^https?:\/\/[^/]+/i, '').replace(/[?#].*$/s, '');
  return bare(bare(path).replace(/^(.*\/)?(webhook|form|mcp)(-test|-waiting)?\//, ''));
}
