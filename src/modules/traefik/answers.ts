/** What Traefik's API answers: only what the tools use. Versions 2 and 3 differ in what they leave out. */
import { z } from 'zod';

/** Go writes an empty list as null, or leaves it out. */
const texts = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? []);

const element = {
  name: z.string(),
  provider: z.string().default(''),
  status: z.string().default('enabled'),
  error: texts,
};

export const routerAnswer = z.looseObject({
  ...element,
  rule: z.string().default(''),
  ruleSyntax: z.string().default(''),
  service: z.string().default(''),
  entryPoints: texts,
  middlewares: texts,
  parentRefs: texts,
  /** Internal routers have numbers that JavaScript cannot hold; `priorityStr` has all digits. */
  priority: z.number().default(0),
  priorityStr: z.string().optional(),
  tls: z.looseObject({}).nullish(),
  using: texts,
});
export type Router = z.output<typeof routerAnswer>;

const named = z.looseObject({ name: z.string() });

export const serviceAnswer = z.looseObject({
  ...element,
  type: z.string().optional(),
  loadBalancer: z
    .looseObject({
      servers: z
        .array(
          z.looseObject({ url: z.string().optional(), address: z.string().optional(), weight: z.number().optional() }),
        )
        .nullish(),
      healthCheck: z.looseObject({}).nullish(),
      passHostHeader: z.boolean().nullish(),
    })
    .nullish(),
  weighted: z.looseObject({ services: z.array(named).nullish() }).nullish(),
  mirroring: z.looseObject({ service: z.string().nullish(), mirrors: z.array(named).nullish() }).nullish(),
  failover: z.looseObject({ service: z.string().nullish(), fallback: z.string().nullish() }).nullish(),
  serverStatus: z.record(z.string(), z.string()).nullish(),
  usedBy: texts,
});
export type Service = z.output<typeof serviceAnswer>;

export const middlewareAnswer = z.looseObject({ ...element, type: z.string().default(''), usedBy: texts });
export type Middleware = z.output<typeof middlewareAnswer>;

export const entryPointAnswer = z.looseObject({
  name: z.string(),
  address: z.string().default(''),
  asDefault: z.boolean().nullish(),
  http: z
    .looseObject({
      tls: z.looseObject({}).nullish(),
      middlewares: texts,
      redirections: z
        .looseObject({
          entryPoint: z.looseObject({ to: z.string().nullish(), scheme: z.string().nullish() }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
export type EntryPoint = z.output<typeof entryPointAnswer>;

const counts = z.object({ total: z.number(), warnings: z.number().default(0), errors: z.number().default(0) });
const scheme = z
  .object({ routers: counts.nullish(), services: counts.nullish(), middlewares: counts.nullish() })
  .nullish();

export const overviewAnswer = z.object({
  http: scheme,
  tcp: scheme,
  udp: scheme,
  certificates: counts.nullish(),
  features: z
    .object({ tracing: z.string().nullish(), metrics: z.string().nullish(), accessLog: z.boolean().nullish() })
    .nullish(),
  providers: texts,
});

export const versionAnswer = z.object({
  Version: z.string(),
  Codename: z.string().optional(),
  startDate: z.string().optional(),
});
