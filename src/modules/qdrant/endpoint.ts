const QDRANT_PORT = '6333';

/** The URL with its port. Like Qdrant's own clients, one without a port means 6333, also with https. */
export function endpointOf(url: string): string {
  if (/^https?:\/\/[^/]*:\d+(?:[/?#]|$)/i.test(url)) return url;
  const made = new URL(url);
  made.port = QDRANT_PORT;
  return made.toString();
}
