import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { bindingsOf } from '../api/bindings.ts';
import { sliced } from '../api/pages.ts';
import { inVhost, named } from '../missing.ts';
import { bindingOutput, isVisible, shownBinding } from '../shown-binding.ts';
import { cursorInput, limitInput, moreOutput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

export const listBindingsTool = rabbitmqTool({
  name: 'rabbitmq_list_bindings',
  title: 'List bindings',
  description:
    'Lists bindings: those of a queue, those from and to an exchange, or all of a vhost. Leaves out the default exchange, to which each queue is bound by its name.',
  phrases: 'list bindings; what is bound to this queue; routing keys of a queue; where do messages of an exchange go',
  effect: 'read',
  input: z.strictObject({
    queue: z.string().min(1).max(255).optional().describe('Bindings to this queue'),
    exchange: z.string().min(1).max(255).optional().describe('Bindings from and to this exchange'),
    vhost: vhostInput,
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ bindings: z.array(bindingOutput), ...moreOutput }),
  async run({ cursor, ...asked }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, asked.vhost);
    const { queue, exchange } = asked;
    if (queue !== undefined && exchange !== undefined)
      throw new AppError('invalid_input', 'Name a queue or an exchange, not both.');
    if (queue !== undefined) rabbit.queues.need(queue);
    if (exchange !== undefined) rabbit.exchanges.need(exchange);
    const read = () => bindingsOf(rabbit, { vhost, queue, exchange }, signal);
    const name = queue ?? exchange;
    const all =
      name === undefined
        ? await inVhost(rabbit, vhost, signal, read)
        : await named(rabbit, queue === undefined ? 'exchange' : 'queue', { vhost, name, signal }, read);
    const seen = all.filter(isVisible(rabbit));
    const { items, ...rest } = sliced({ tool: 'rabbitmq_list_bindings', asked, cursor }, seen, shownBinding);
    return { bindings: items, ...rest };
  },
});
