/** What to do about a server that does not start, from what it said. */
export function adviceFor(transport: string, message: string): string {
  // That says itself what to do.
  if (message.includes('needs a login')) return '';
  if (transport === 'stdio') return adviceForProgram(message);
  if (/\b(401|403)\b/.test(message)) return 'Check the token in its "headers".';
  if (/\b(404|405)\b/.test(message)) return 'Check the path of its "url"; many servers live at /mcp or /sse.';
  if (/ECONNREFUSED|ECONNRESET/.test(message)) return 'Start that server, or correct the host and port of its "url".';
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return 'Correct the host name in its "url", or check the network.';
  if (/certificate|self.signed|CERT_/i.test(message)) return 'Give its certificate authority in NODE_EXTRA_CA_CERTS.';
  if (/silent for|timed? ?out/i.test(message)) return 'Check that it runs; a slow one needs a larger "timeout".';
  return 'Open its "url" with curl to see what it answers.';
}

function adviceForProgram(message: string): string {
  // These say themselves what to do.
  if (/Install it|Check its permissions/.test(message)) return '';
  if (/silent for|timed? ?out/i.test(message)) {
    return 'Run its command by hand: it must speak MCP on stdin and stdout. A slow start needs a larger "timeout".';
  }
  if (/\b(npm|E404|404 Not Found)\b/.test(message)) return 'Check the name of the package in its "args".';
  if (/API[_ ]?KEY|TOKEN|credential|environment variable|unauthorized/i.test(message)) {
    return 'Give it what it asks for in its "env"; keep the value in .env and write ${NAME}.';
  }
  return 'Run its command by hand to see why it ends.';
}
