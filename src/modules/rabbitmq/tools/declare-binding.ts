import { z } from 'zod';
import { bindingInput, bindingPath } from '../binding-input.ts';
import { HttpError } from '../../http.ts';
import { named } from '../missing.ts';
import { rabbitmqTool, vhostOf } from '../tool.ts';

export const declareBindingTool = rabbitmqTool({
  name: 'rabbitmq_declare_binding',
  title: 'Bind a queue',
  description: 'Binds a queue or an exchange to an exchange, so that it gets the messages that fit the routing key.',
  phrases:
    'bind a queue to an exchange; create a binding; subscribe a queue to a routing key; route messages to a queue',
  effect: 'create',
  input: bindingInput,
  output: z.object({ exchange: z.string(), name: z.string(), routing_key: z.string() }),
  async run(given, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, given.vhost);
    const { exchange, to, name, routing_key, arguments: args } = given;
    const path = bindingPath(rabbit, given);
    const bind = () => rabbit.send(path, { method: 'POST', body: { routing_key, arguments: args }, signal });
    try {
      await bind();
    } catch (error) {
      const isSource = error instanceof HttpError && /no exchange/.test(error.body) && error.body.includes(exchange);
      const [kind, absent] = isSource ? (['exchange', exchange] as const) : ([to, name] as const);
      await named(rabbit, kind, { vhost, name: absent, signal }, () => Promise.reject(error as Error));
    }
    return { exchange, name, routing_key };
  },
});
