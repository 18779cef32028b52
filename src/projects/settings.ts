import { z } from 'zod';
import type { HostOf } from '../host/part.ts';

export const projectSettings = { projects: z.boolean({ error: 'must be true or false' }).default(true) };

export type ProjectHost = HostOf<typeof projectSettings>;
