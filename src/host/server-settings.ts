import { z } from 'zod';
import { flag, httpUrl, integer } from './config/scalars.ts';
import { atStart } from './config/at-start.ts';
import { internalListener } from './internal-settings.ts';

/** Where the internal listener is; its scopes may change while it runs. */
const moved = (before: Internal, after: Internal) => address(before) !== address(after);
const address = (internal: Internal) => JSON.stringify(internal && { ...internal, scopes: [] });

type Internal = false | z.output<typeof internalListener>;

/** `server`: where Sluice listens, and how it is reached. */
export const serverSection = z.strictObject({
  host: atStart(z.string().min(1, 'must not be empty').default('127.0.0.1')),
  port: atStart(integer(0, 65_535).default(3500)),
  publicUrl: httpUrl.optional(),
  allowedHosts: z.array(z.string()).default([]),
  allowedOrigins: z.array(z.string()).default([]),
  trustProxy: flag.default(false),
  internal: atStart(
    z.union([z.literal(false), internalListener], { error: 'must be false or say where to listen' }).default(false),
    moved,
  ),
});

export type ServerSettings = z.output<typeof serverSection>;
