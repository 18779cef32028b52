import { z } from 'zod';
import { flag, httpUrl, integer } from './config/scalars.ts';
import { atStart } from './config/at-start.ts';
import { durationOrZero } from './config/duration.ts';
import { isScope } from '../kernel/principal.ts';

const scope = z.string().superRefine((given, context) => {
  if (isScope(given)) return;
  context.addIssue({
    code: 'custom',
    message: `is not a scope: ${given}`,
    params: { fix: 'Write tools:read, tools:execute, health:check, admin, or <source>:read, :write or :execute.' },
  });
});

/** `server.internal`: where services call without a key, and what they may do. */
const internalListener = z
  .strictObject({
    socket: z.string().min(1, 'must name a file').optional(),
    host: z.string().min(1, 'must not be empty').optional(),
    port: integer(0, 65_535).optional(),
    scopes: z.array(scope).default(['tools:read']),
  })
  .transform(({ socket, host, port, scopes }, context) => {
    if (socket !== undefined && host === undefined && port === undefined) return { socket, scopes };
    if (socket === undefined && host !== undefined && port !== undefined) return { host, port, scopes };
    context.addIssue({
      code: 'custom',
      message: 'needs either a socket, or a host and a port',
      params: { fix: 'Write { socket: /path/to/socket } or { host: 127.0.0.1, port: 3501 }.' },
    });
    return z.NEVER;
  });

/** A new address of the internal listener needs a restart; its scopes may change while it runs. */
const moved = (before: Internal, after: Internal) => address(before) !== address(after);
const address = (internal: Internal) => JSON.stringify(internal && { ...internal, scopes: [] });

type Internal = false | z.output<typeof internalListener>;

/** How many proxies are in front of Sluice, one after the other. True is one. */
export const proxies = z.union([flag, integer(0, 10)], {
  error: 'must be true, false, or the number of proxies, from 0 to 10',
});

/** `server`: where Sluice listens and how clients reach it. */
export const serverSection = z.strictObject({
  host: atStart(z.string().min(1, 'must not be empty').default('127.0.0.1')),
  port: atStart(integer(0, 65_535).default(3500)),
  publicUrl: httpUrl.optional(),
  allowedHosts: z.array(z.string()).default([]),
  allowedOrigins: z.array(z.string()).default([]),
  trustProxy: proxies.default(false),
  /** Where other replicas reach this one. Port 0 stands for the port that it listens on. */
  peerUrl: atStart(httpUrl.optional()),
  /** How long a replica that stops still answers, so that load balancers notice; default 5 s. */
  drain: durationOrZero.optional(),
  internal: atStart(
    z
      .union([z.literal(false), internalListener], { error: 'must be false, { socket } or { host, port }' })
      .default(false),
    moved,
  ),
});

export type ServerSettings = z.output<typeof serverSection>;
