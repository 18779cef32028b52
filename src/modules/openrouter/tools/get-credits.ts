import { z } from 'zod';
import { rounded } from '../price.ts';
import { creditsReply } from '../replies.ts';
import { openrouterTool } from '../tool.ts';

export const getCredits = openrouterTool({
  name: 'openrouter_get_credits',
  title: 'Get credits',
  description: 'What the account has bought and used, in US dollars. OpenRouter shows it for management keys only.',
  phrases: 'how many credits are left; balance of the openrouter account; do we have to buy credits',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({ bought: z.number(), used: z.number(), left: z.number() }),
  async run(_, openrouter, { signal }, progress) {
    const { data } = await openrouter.ask(creditsReply, '/credits', { signal, progress });
    const { total_credits: bought, total_usage: used } = data;
    return { bought, used, left: rounded(bought - used) };
  },
});
