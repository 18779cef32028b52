import type { AppError } from '../kernel/errors.ts';
import type { EndCode } from '../wire/cause-of-end.ts';
import { needsLogin } from '../wire/credentials.ts';
import type { Transport } from './transport.ts';

const noCertificate = [
  'CERT_HAS_EXPIRED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** How to fix a server that does not start; undefined where its error already says so. */
export function adviceFor(transport: Transport['kind'], error: AppError): string | undefined {
  if (needsLogin(error)) return undefined;
  const codes = codesOf(error);
  return transport === 'stdio' ? adviceForProgram(codes) : adviceForUrl(codes);
}

function adviceForUrl(codes: Codes): string {
  if (codes.has(401, 403)) return 'Check the token in its "headers".';
  if (codes.has(404, 405)) return 'Check the path of its "url"; many servers live at /mcp or /sse.';
  if (codes.has('ECONNREFUSED', 'ECONNRESET')) return 'Start that server, or correct the host and port of its "url".';
  if (codes.has('ENOTFOUND', 'EAI_AGAIN')) return 'Correct the host name in its "url", or check the network.';
  if (codes.has(...noCertificate)) return 'Set NODE_EXTRA_CA_CERTS to the file of its certificate authority.';
  if (codes.has('timeout', 'ETIMEDOUT')) return 'Check that it runs. If it is slow, raise its "timeout".';
  return 'Open its "url" with curl to see what it answers.';
}

function adviceForProgram(codes: Codes): string | undefined {
  // The error itself names the command, or the directory, and what to do.
  if (codes.has('ENOENT', 'EACCES')) return undefined;
  if (codes.has('timeout'))
    return 'Run its command by hand: it must speak MCP on stdin and stdout. If it starts slowly, raise its "timeout".';
  if (codes.has('PACKAGE_NOT_FOUND' satisfies EndCode)) return 'Check the package name in its "args".';
  if (codes.has('SETTING_MISSING' satisfies EndCode))
    return 'Set what it asks for in its "env": put the value into .env, and write ${NAME}.';
  return 'Run its command by hand to see why it exits.';
}

interface Codes {
  has(...codes: (string | number)[]): boolean;
}

/** The codes of an error and of its causes: ours, HTTP statuses, errno and TLS codes. */
function codesOf(error: AppError): Codes {
  const found = new Set<unknown>();
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    const { code, data } = inner as Partial<AppError>;
    found.add(code).add(data?.status);
  }
  return { has: (...codes) => codes.some((code) => found.has(code)) };
}
