import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { type Binding, bindingsOf } from '../api/bindings.ts';
import { bindingInput, bindingPath } from '../binding-input.ts';
import type { RabbitMq } from '../connection.ts';
import { named } from '../missing.ts';
import { rabbitmqTool, vhostOf } from '../tool.ts';

type Given = z.output<typeof bindingInput>;

export const deleteBindingTool = rabbitmqTool({
  name: 'rabbitmq_delete_binding',
  title: 'Delete a binding',
  description: 'Deletes the binding with this routing key and these arguments.',
  phrases: 'unbind a queue; delete a binding; stop routing messages to a queue; remove a routing key',
  effect: 'delete',
  input: bindingInput,
  output: z.object({ exchange: z.string(), name: z.string(), routing_key: z.string() }),
  async preview(given, rabbit, { signal }) {
    await found(given, rabbit, signal);
    const { exchange, to, name, routing_key } = given;
    return `Deletes the binding from the exchange ${exchange} to the ${to} ${name} with the routing key "${routing_key}". Messages with it no longer reach ${name} from there.`;
  },
  async run(given, rabbit, { signal }) {
    const { properties_key } = await found(given, rabbit, signal);
    // The key is percent-encoded itself, and part of a path once more.
    await rabbit.send([...bindingPath(rabbit, given), properties_key], { method: 'DELETE', signal });
    const { exchange, name, routing_key } = given;
    return { exchange, name, routing_key };
  },
});

async function found(given: Given, rabbit: RabbitMq, signal: AbortSignal): Promise<Binding> {
  const vhost = vhostOf(rabbit, given.vhost);
  bindingPath(rabbit, given);
  const { exchange, to, name, routing_key } = given;
  const all = await named(rabbit, to, { vhost, name, signal }, () =>
    bindingsOf(rabbit, to === 'queue' ? { vhost, queue: name } : { vhost, exchange: name }, signal),
  );
  const between = all.filter((one) => one.source === exchange && one.destination === name);
  const binding = between.find(
    (one) => one.routing_key === routing_key && isDeepStrictEqual({ ...one.arguments }, { ...given.arguments }),
  );
  if (binding) return binding;
  const keys = between.slice(0, 10).map((one) => `"${one.routing_key}"`);
  const there = keys.length > 0 ? `There are bindings with ${keys.join(', ')}.` : 'There is none between them.';
  throw new AppError(
    'not_found',
    `No binding from ${exchange} to ${name} has the routing key "${routing_key}" and these arguments. ${there} rabbitmq_list_bindings shows them.`,
  );
}
