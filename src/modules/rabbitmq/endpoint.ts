import type { RabbitmqSettings } from './settings.ts';

/** Where the management API is, and who asks. */
export interface Endpoint {
  /** Without credentials. */
  readonly base: string;
  readonly user: string;
  readonly password: string;
  readonly vhost: string;
}

/** RabbitMQ's own default, for brokers on the same machine. */
const GUEST = 'guest';

export function endpointOf({ url, managementUrl, vhost }: RabbitmqSettings): Endpoint {
  const amqp = url === undefined ? undefined : new URL(url);
  const management = managementUrl === undefined ? undefined : new URL(managementUrl);
  const named = [management, amqp].find((one) => one !== undefined && one.username !== '');
  return {
    base: management ? baseOf(management) : besides(amqp as URL),
    user: named ? decodeURIComponent(named.username) : GUEST,
    password: named ? decodeURIComponent(named.password) : GUEST,
    vhost: vhost ?? vhostIn(amqp) ?? '/',
  };
}

/** People copy the URL with `/api` or `/#/` from the browser. */
const baseOf = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/(?:\/api)?\/*$/, '')}`;

/** The API listens beside AMQP, on a port of its own. */
const besides = ({ protocol, hostname }: URL): string =>
  /^amqps:/i.test(protocol) ? `https://${hostname}:15671` : `http://${hostname}:15672`;

function vhostIn(amqp: URL | undefined): string | undefined {
  const path = decodeURIComponent(amqp?.pathname.slice(1) ?? '');
  return path === '' ? undefined : path;
}
