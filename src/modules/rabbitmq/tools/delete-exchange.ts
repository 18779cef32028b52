import { z } from 'zod';
import { bindingsOf } from '../api/bindings.ts';
import { readExchange } from '../api/exchanges.ts';
import type { RabbitMq } from '../connection.ts';
import { named } from '../missing.ts';
import { rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

const input = z.strictObject({
  exchange: z.string().min(1).max(255).describe('Name of the exchange'),
  if_unused: z.boolean().default(false).describe('Only if nothing is bound to it'),
  vhost: vhostInput,
});

export const deleteExchangeTool = rabbitmqTool({
  name: 'rabbitmq_delete_exchange',
  title: 'Delete an exchange',
  description: 'Deletes an exchange with its bindings. Programs that publish to it fail from then on.',
  phrases: 'delete an exchange; remove an exchange; drop an unused exchange',
  effect: 'delete',
  input,
  output: z.object({ exchange: z.string(), vhost: z.string(), bindings: z.int().describe('That went with it') }),
  async preview(given, rabbit, { signal }) {
    const { exchange, vhost, bindings } = await found(given, rabbit, signal);
    const targets = [...new Set(bindings.filter(({ source }) => source === exchange).map((one) => one.destination))];
    const some = targets.slice(0, 10).join(', ');
    const many = bindings.length === 1 ? '1 binding' : `${bindings.length} bindings`;
    const fed = targets.length === 0 ? '' : ` It feeds ${some}${targets.length > 10 ? ' and others' : ''}.`;
    return `Deletes the exchange ${exchange} in the vhost ${vhost} with ${many}.${fed} Whoever publishes to it gets an error. This cannot be undone.`;
  },
  async run(given, rabbit, { signal }) {
    const { exchange, vhost, bindings } = await found(given, rabbit, signal);
    await rabbit.send(['exchanges', vhost, exchange], {
      method: 'DELETE',
      query: { 'if-unused': given.if_unused || undefined },
      signal,
    });
    return { exchange, vhost, bindings: bindings.length };
  },
});

async function found({ exchange, vhost: given }: z.output<typeof input>, rabbit: RabbitMq, signal: AbortSignal) {
  const vhost = vhostOf(rabbit, given);
  rabbit.writableExchanges.need(exchange);
  return await named(rabbit, 'exchange', { vhost, name: exchange, signal }, async () => {
    const [, bindings] = await Promise.all([
      readExchange(rabbit, vhost, exchange, signal),
      bindingsOf(rabbit, { vhost, exchange }, signal),
    ]);
    return { exchange, vhost, bindings };
  });
}
