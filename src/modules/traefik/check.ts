import { overviewAnswer, versionAnswer } from './answers.ts';
import type { Traefik } from './connection.ts';

/** Such as `Traefik 3.1.0, 12 routers, 1 with errors`. */
export async function check(traefik: Traefik, signal: AbortSignal): Promise<string> {
  const [{ Version }, overview] = await Promise.all([
    traefik.ask(versionAnswer, '/api/version', { signal }),
    traefik.ask(overviewAnswer, '/api/overview', { signal }),
  ]);
  const sections = [overview.http, overview.tcp, overview.udp].map((scheme) => scheme?.routers);
  const sum = (key: 'total' | 'errors') => sections.reduce((all, section) => all + (section?.[key] ?? 0), 0);
  return `Traefik ${Version.slice(0, 40)}, ${sum('total')} routers, ${sum('errors')} with errors`;
}
