import { fact } from '../kernel/facts.ts';

/** Events of the services. What a call asked for is in none of them. */
export const moduleFacts = {
  'module.failed': fact<{ source: string; reason: string }>({
    status: 'failure',
    line: ({ source, reason }) => `${source}: ${reason}`,
  }),
  'module.recovered': fact<{ source: string }>({ line: ({ source }) => `${source} works again` }),
};
