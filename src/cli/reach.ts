import { attach } from '../host/attach.ts';
import { socketPath } from '../host/home.ts';
import type { GatewayOptions, Place } from '../host/place.ts';
import { AppError } from '../kernel/errors.ts';
import type { View } from '../wire/service.ts';
import { connectClient, type GatewayClient } from './client.ts';

export const noGateway = (home: string) =>
  new AppError('unavailable', `no gateway runs for ${home}. Start one with \`sluice serve\`.`);

/** The running gateway, or an error that says how to start one. */
export async function reachRunning(place: Place): Promise<GatewayClient> {
  const client = await findRunning(place);
  if (client) return client;
  throw noGateway(place.home);
}

export async function findRunning({ home, version }: Place, view?: View): Promise<GatewayClient | undefined> {
  const stream = await attach(socketPath(home), view);
  return stream && connectClient(stream, version);
}

/** The running gateway; otherwise one in this process, for as long as the command runs. */
export async function reach(place: Place, options: GatewayOptions = {}): Promise<GatewayClient> {
  const running = await findRunning(place, options);
  if (running) return running;
  place.terminal.say(
    'No gateway is running: starting the servers for this command only. `sluice serve` keeps them up.',
  );
  return startOwn(place, options);
}

async function startOwn(place: Place, options: GatewayOptions): Promise<GatewayClient> {
  await using stack = new AsyncDisposableStack();
  const started = stack.use(await place.gateway(options));
  const client = stack.use(await connectClient(started.stream, place.version));
  const owned = stack.move();
  return { ...client, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
