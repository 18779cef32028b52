import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { bindingsOf } from '../api/bindings.ts';
import { readExchange } from '../api/exchanges.ts';
import { named } from '../missing.ts';
import { bindingOutput, isVisible, shownBinding } from '../shown-binding.ts';
import { exchangeOutput, shownExchange } from '../shown-exchange.ts';
import { rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

export const getExchangeTool = rabbitmqTool({
  name: 'rabbitmq_get_exchange',
  title: 'Show an exchange',
  description: 'Shows an exchange: type, arguments, rates, and where its messages go.',
  phrases: 'details of an exchange; where does this exchange route to; which queues get messages of this exchange',
  effect: 'read',
  input: z.strictObject({
    exchange: z.string().min(1).max(255).describe('Name of the exchange'),
    vhost: vhostInput,
  }),
  output: exchangeOutput.extend({
    vhost: z.string(),
    bindings: z.array(bindingOutput).describe('From and to it; rabbitmq_list_bindings shows more of many'),
    bindings_total: z.int(),
  }),
  async run({ exchange: name, vhost: given }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, given);
    rabbit.exchanges.need(name);
    const [exchange, all] = await named(rabbit, 'exchange', { vhost, name, signal }, () =>
      Promise.all([readExchange(rabbit, vhost, name, signal), bindingsOf(rabbit, { vhost, exchange: name }, signal)]),
    );
    const bindings = all.filter(isVisible(rabbit)).map(shownBinding);
    const about = { ...shownExchange(exchange), vhost, bindings_total: bindings.length };
    return { ...about, bindings: bindings.slice(0, fittingItems(bindings, about)) };
  },
});
