import { z } from 'zod';
import { duration } from '../../host/config/duration.ts';
import { httpUrl, integer } from '../../host/config/scalars.ts';
import { allowList } from '../allowed.ts';

export const openhandsSettings = z.object({
  url: httpUrl.default('http://127.0.0.1:3000'),
  /** Of the cloud, or the session key of a server of your own. */
  apiKey: z.string().trim().min(1).optional(),
  /** Such as `acme/*`. With it, every conversation needs a repository that is on it. */
  repositories: allowList,
  /** How many conversations may work at the same time. */
  concurrency: integer(1, 100).default(2),
  /** Where sandboxes keep their projects. */
  workspace: z.string().startsWith('/').default('/workspace/project'),
  /** Sandboxes take their time to start. */
  timeout: duration.default(300_000),
});

export type OpenhandsSettings = z.output<typeof openhandsSettings>;
