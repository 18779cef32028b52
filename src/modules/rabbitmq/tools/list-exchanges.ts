import { z } from 'zod';
import { globMatcher } from '../../../kernel/glob.ts';
import { listExchanges } from '../api/exchanges.ts';
import { fitted, skipOf } from '../api/pages.ts';
import { inVhost } from '../missing.ts';
import { exchangeOutput, shownExchange } from '../shown-exchange.ts';
import { cursorInput, limitInput, moreOutput, patternInput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

export const listExchangesTool = rabbitmqTool({
  name: 'rabbitmq_list_exchanges',
  title: 'List exchanges',
  description: 'Lists the exchanges of a vhost with type and rates. The default exchange is "".',
  phrases: 'list exchanges; which exchanges are there; topic exchanges; fanout exchanges; where can I publish to',
  effect: 'read',
  input: z.strictObject({ vhost: vhostInput, pattern: patternInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({ exchanges: z.array(exchangeOutput), ...moreOutput }),
  async run({ cursor, ...asked }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, asked.vhost);
    const listing = { tool: 'rabbitmq_list_exchanges', asked, cursor };
    const { pattern, limit } = asked;
    const page = await inVhost(rabbit, vhost, signal, () =>
      listExchanges(rabbit, { vhost, pattern, limit, skip: skipOf(listing), signal }),
    );
    const matches = pattern === undefined ? () => true : globMatcher([pattern]);
    const { items, ...rest } = fitted(listing, page, (exchange) =>
      rabbit.exchanges.has(exchange.name) && matches(exchange.name) ? shownExchange(exchange) : undefined,
    );
    return { exchanges: items, ...rest };
  },
});
