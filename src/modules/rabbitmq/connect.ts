import { AppError } from '../../kernel/errors.ts';
import { type Allowed, allowed } from '../allowed.ts';
import { basic, httpTo, segment } from '../http.ts';
import type { Around } from '../module.ts';
import type { RabbitMq } from './connection.ts';
import { endpointOf } from './endpoint.ts';
import type { RabbitmqSettings } from './settings.ts';

/** Answers to changes are short. */
const MOST_SENT_BACK = 1024 * 1024;

export async function connect(settings: RabbitmqSettings, { name, tls, isReadOnly }: Around): Promise<RabbitMq> {
  const { base, user, password, vhost } = endpointOf(settings);
  const http = httpTo({ base, tls, headers: { authorization: basic(user, password) } });
  const setting = `modules.${name}`;
  const { queues, exchanges } = settings;
  const at = (path: readonly string[]) => `/api/${path.map(segment).join('/')}`;
  return {
    vhost,
    isReadOnly,
    vhosts: allowed(settings.vhosts && [...settings.vhosts, vhost], 'vhost', `${setting}.vhosts`),
    queues: allowed(queues, 'queue', `${setting}.queues`),
    exchanges: allowed(exchanges, 'exchange', `${setting}.exchanges`),
    writableExchanges: queues && !exchanges ? none(setting) : allowed(exchanges, 'exchange', `${setting}.exchanges`),
    globs: { queues, exchanges },
    get: (type, path, asked) => http.json(type, at(path), asked),
    async send(path, asked) {
      // What has no body to give refuses to give one as JSON.
      const headers = { accept: '*/*', ...asked.headers };
      const { status, body } = await http.stream(at(path), { ...asked, headers });
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of body) {
        length += chunk.length;
        if (length > MOST_SENT_BACK) break;
        chunks.push(chunk);
      }
      return { status, text: Buffer.concat(chunks).toString('utf8') };
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

/** A list of queues alone would mean little if every exchange could still deliver to any other queue. */
const none = (setting: string): Allowed => ({
  has: () => false,
  need(name) {
    throw new AppError(
      'forbidden',
      `The exchange ${name.slice(0, 200)} may not be used: it can deliver to queues that ${setting}.queues leaves out. List it in ${setting}.exchanges in sluice.yaml, or publish to a queue through the default exchange.`,
    );
  },
});
