import type { Router } from './answers.ts';
import { tokensOf } from './rules/tokens.ts';
import type { Request } from './rules/request.ts';

/**
 * TCP routers that take the connection before HTTP routers see the request. Only rules of one HostSNI are judged; `unknown`
 * names the others.
 */
export function tcpFirst(
  request: Request,
  routers: readonly Router[],
  entryPoint: string | undefined,
): { takes: Router | undefined; unknown: readonly Router[] } {
  const candidates = routers.filter(
    ({ status, tls, entryPoints }) =>
      status !== 'disabled' &&
      Boolean(tls) === request.isTls &&
      (entryPoint === undefined || entryPoints.includes(entryPoint)),
  );
  const judged = candidates.map((router) => ({ router, names: namesIn(router.rule) }));
  const takes = judged.find(({ names }) =>
    // For TLS, HTTP routers come before a TCP router for all names.
    request.isTls ? names?.some((name) => name.toLowerCase() === request.host && name !== '*') : names?.includes('*'),
  );
  return { takes: takes?.router, unknown: judged.filter(({ names }) => !names).map(({ router }) => router) };
}

/** The names of a rule that is one HostSNI, as in HostSNI(`db.example.com`). */
function namesIn(rule: string): readonly string[] | undefined {
  try {
    const [name, open, ...rest] = tokensOf(rule);
    if (name?.text.toLowerCase() !== 'hostsni' || open?.text !== '(' || rest.pop()?.text !== ')') return undefined;
    const values = rest.filter((token) => token.kind === 'value');
    return rest.every((token, n) => (n % 2 === 0 ? token.kind === 'value' : token.text === ','))
      ? values.map(({ value }) => value)
      : undefined;
  } catch {
    return undefined;
  }
}
