const bare = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** Whether a webhook at `own`, which may have `:parameters` in it, is meant by `wanted`. */
export function pathMatches(own: string | undefined, wanted: string): boolean {
  if (own === undefined) return false;
  const [mine, theirs] = [bare(own), bare(wanted)];
  if (mine === theirs) return true;
  if (!mine.includes(':')) return false;
  const [parts, given] = [mine.split('/'), theirs.split('/')];
  return parts.length === given.length && parts.every((part, index) => part.startsWith(':') || part === given[index]);
}

/** What follows `/webhook/` and the like in an address; a path stays as it is. */
export function webhookPathIn(text: string): string {
  const path = text.replace(/^https?:\/\/[^/]+/i, '').replace(/[?#].*$/s, '');
  return bare(bare(path).replace(/^(.*\/)?(webhook|form|mcp)(-test|-waiting)?\//, ''));
}
