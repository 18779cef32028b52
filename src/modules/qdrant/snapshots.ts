import { z } from 'zod';
import { shortened } from '../shown.ts';
import type { snapshotAnswer } from './answers.ts';

export const snapshotOutput = z.object({
  name: z.string(),
  created: z.string().optional(),
  bytes: z.number().optional(),
});

export const shownSnapshot = ({ name, creation_time: created, size }: z.output<typeof snapshotAnswer>) => ({
  name: shortened(name, 200),
  ...(created != null && { created: created.slice(0, 40) }),
  ...(size != null && { bytes: size }),
});
