import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shown } from '../../../kernel/nearest-names.ts';
import { HttpError } from '../../http.ts';
import { connection } from '../api/connections.ts';
import { known } from '../api/lenient.ts';
import { rabbitmqTool } from '../tool.ts';

export const closeConnectionTool = rabbitmqTool({
  name: 'rabbitmq_close_connection',
  title: 'Close a connection',
  description:
    'Closes the connection of a program. Its unacknowledged messages go back to their queues, and most programs connect again.',
  phrases: 'close a connection; disconnect a client; kick a stuck consumer; release unacknowledged messages',
  effect: 'execute',
  input: z.strictObject({
    connection: z.string().min(1).max(500).describe('Its name, as rabbitmq_list_connections shows it'),
    reason: z
      .string()
      .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
      .max(200)
      .default('Closed through Sluice')
      .describe('The program and the log get it'),
  }),
  output: z.object({ connection: z.string(), user: z.string().optional(), client: z.string().optional() }),
  async run({ connection: name, reason }, rabbit, { signal }) {
    try {
      const { vhost, user, client_properties } = await rabbit.get(connection, ['connections', name], { signal });
      rabbit.vhosts.need(vhost ?? '');
      await rabbit.send(['connections', name], { method: 'DELETE', headers: { 'x-reason': reason }, signal });
      return { connection: name, ...known({ user, client: client_properties?.connection_name }) };
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 404) throw error;
      throw new AppError(
        'not_found',
        `No connection ${shown(name)}. It may be closed already, or too new to be known. rabbitmq_list_connections shows them.`,
        { cause: error },
      );
    }
  },
});
