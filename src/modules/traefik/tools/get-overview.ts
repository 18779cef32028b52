import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { overviewAnswer, versionAnswer } from '../answers.ts';
import { names } from '../shown-elements.ts';
import { traefikTool } from '../tool.ts';

const counts = z.object({ total: z.number(), warnings: z.number(), errors: z.number() });
const scheme = z.object({ routers: counts.optional(), services: counts.optional(), middlewares: counts.optional() });

export const getOverview = traefikTool({
  name: 'traefik_get_overview',
  title: 'Get overview',
  description:
    'Version, providers, features, and how many routers, services and middlewares there are, with errors and warnings.',
  phrases: 'version of traefik; how many routers; which providers does traefik use; is traefik healthy; traefik status',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    codename: z.string().optional(),
    started: z.string().optional(),
    providers: z.array(z.string()),
    features: z.object({ tracing: z.string(), metrics: z.string(), access_log: z.boolean() }),
    http: scheme.optional(),
    tcp: scheme.optional(),
    udp: scheme.optional(),
    certificates: counts.optional(),
    hint: z.string().optional(),
  }),
  async run(_, traefik, { signal }, progress) {
    const [version, overview] = await Promise.all([
      traefik.ask(versionAnswer, '/api/version', { signal, progress }),
      traefik.ask(overviewAnswer, '/api/overview', { signal, progress }),
    ]);
    const { features, certificates, providers } = overview;
    const schemes = Object.fromEntries(
      (['http', 'tcp', 'udp'] as const).flatMap((protocol) => {
        const given = overview[protocol];
        if (!given) return [];
        return [[protocol, Object.fromEntries(Object.entries(given).filter(([, value]) => value))]];
      }),
    );
    const troubled = [overview.http, overview.tcp, overview.udp].some((one) =>
      Object.values(one ?? {}).some((section) => (section?.errors ?? 0) + (section?.warnings ?? 0) > 0),
    );
    return {
      version: shortened(version.Version, 60),
      ...(version.Codename !== undefined && { codename: shortened(version.Codename, 60) }),
      ...(version.startDate !== undefined && { started: version.startDate.slice(0, 40) }),
      providers: names(providers, 30),
      features: {
        tracing: shortened(features?.tracing || 'off', 60),
        metrics: shortened(features?.metrics || 'off', 60),
        access_log: features?.accessLog ?? false,
      },
      ...schemes,
      ...(certificates && { certificates }),
      ...(troubled && { hint: 'traefik_find_problems shows what is wrong.' }),
    };
  },
});
