import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import type { RabbitMq } from './connection.ts';
import { endpointOf } from './endpoint.ts';
import { explain } from './explain.ts';
import { problemsIn, rabbitmqSettings } from './settings.ts';

/** RabbitMQ, through its management API alone: that publishes and peeks, too. */
export default module<typeof rabbitmqSettings, RabbitMq>({
  name: 'rabbitmq',
  description: 'RabbitMQ: queues, messages, exchanges, bindings, connections, users, health',
  settings: rabbitmqSettings,
  problems: problemsIn,
  address(settings) {
    const { base } = endpointOf(settings);
    return addressOf(base, base.startsWith('https:') ? 443 : 80);
  },
  tools: async () => (await import('./tools.ts')).tools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => await (await import('./connect.ts')).connect(settings, around),
  async check(rabbit, signal) {
    const { readOverview } = await import('./api/broker.ts');
    const { product_version, rabbitmq_version, object_totals: totals } = await readOverview(rabbit, signal);
    const version = product_version ?? rabbitmq_version ?? '(unknown version)';
    return `RabbitMQ ${version}, ${totals?.queues ?? 0} queues, ${totals?.connections ?? 0} connections`;
  },
  explain,
});
