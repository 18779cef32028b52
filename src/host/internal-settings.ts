import { z } from 'zod';
import { isScope } from '../kernel/principal.ts';
import { integer } from './config/scalars.ts';

const scope = z.string().superRefine((given, context) => {
  if (isScope(given)) return;
  context.addIssue({
    code: 'custom',
    message: `is no scope: ${given}`,
    params: { fix: 'Write tools:read, tools:execute, health:check, admin, or <source>:read, :write or :execute.' },
  });
});

/** `server.internal`: where services without a key call, and what they may do. */
export const internalListener = z
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
