import { fact } from '../kernel/facts.ts';

/** Events of the services. What a call asked for is in none of them. */
export const moduleFacts = {
  'module.failed': fact<{ module: string; reason: string }>({
    status: 'failure',
    line: ({ module, reason }) => `${module}: ${reason}`,
  }),
  'module.recovered': fact<{ module: string }>({ line: ({ module }) => `${module} works again` }),
};
