import type { Duplex } from 'node:stream';
import type { FeedWish } from '../events/event-feed.ts';
import { AppError } from '../kernel/errors.ts';
import type { Exposure } from '../kernel/source.ts';
import { type GatewayClient, connectClient } from './client.ts';
import type { Check } from '../host/check.ts';
import type { Terminal } from '../host/terminal.ts';

/** How commands get at a gateway; main.ts knows how one is started. */
export interface GatewayAccess {
  readonly home: string;
  readonly version: string;
  /** A stream to the gateway that runs for this home, if one does. */
  attach(expose?: Exposure): Promise<Duplex | undefined>;
  /** The same for what it finds when it examines itself: checks, line by line. */
  attachDoctor(): Promise<Duplex | undefined>;
  /** The same for events, line by line. */
  attachEvents(wish: FeedWish): Promise<Duplex | undefined>;
  /** A gateway in this process, once its servers have tried to start or the tool that is wanted is there. */
  start(options: StartOptions): Promise<StartedGateway>;
}

export interface StartOptions {
  config?: string;
  expose?: Exposure;
  tool?: string;
  signal?: AbortSignal;
}

export interface StartedGateway extends AsyncDisposable {
  readonly stream: Duplex;
  /** Examines it, as `attachDoctor` does with one that runs. */
  checks(signal: AbortSignal): AsyncIterable<Check>;
}

/** The gateway that runs, or an error that says how to start one. */
export async function reachRunning(access: GatewayAccess): Promise<GatewayClient> {
  const client = await findRunning(access);
  if (client) return client;
  throw new AppError('unavailable', `no gateway runs for ${access.home}. Start one with \`sluice serve\`.`);
}

export async function findRunning(access: GatewayAccess, expose?: Exposure): Promise<GatewayClient | undefined> {
  const stream = await access.attach(expose);
  return stream && connectClient(stream, access.version);
}

/** The gateway that runs, else one of our own for as long as the command takes. */
export async function reach(
  access: GatewayAccess,
  terminal: Terminal,
  options: StartOptions = {},
): Promise<GatewayClient> {
  const running = await findRunning(access, options.expose);
  if (running) return running;
  terminal.say('No gateway runs, so the servers are started for this command alone; `sluice serve` keeps them up.');
  return startOwn(access, options);
}

async function startOwn(access: GatewayAccess, options: StartOptions): Promise<GatewayClient> {
  const started = await access.start(options);
  try {
    const client = await connectClient(started.stream, access.version);
    return {
      ...client,
      async [Symbol.asyncDispose]() {
        await client[Symbol.asyncDispose]();
        await started[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await started[Symbol.asyncDispose]();
    throw error;
  }
}
