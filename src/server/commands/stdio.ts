import { exit } from '../../cli/frame.ts';
import { untilSignal } from '../../cli/interrupt.ts';
import { attach } from '../../host/attach.ts';
import { socketPath } from '../../host/home.ts';
import { logStyle } from '../../host/log/server-log.ts';
import type { StartOptions } from '../../host/place.ts';
import type { Action } from '../../kernel/command.ts';
import { localOwner } from '../../kernel/principal.ts';
import { serveStream } from '../../wire/stream.ts';
import { endsForSure, exposeIn, fromFlags, type ServerPlace, sharedOptions } from './starting.ts';

export function stdioCommand(place: ServerPlace): Action {
  return endsForSure({
    usage: '[--config F] [--expose flat|compact|search]',
    example: 'sluice stdio --config ~/sluice.yaml',
    options: sharedOptions,
    async run({ values }) {
      const options = { ...fromFlags(values), log: logStyle(place.env) };
      const expose = exposeIn(values);
      const running = await attach(socketPath(place.home), expose && { expose });
      if (running) {
        // A gateway of this home already has the servers up: hand everything to it.
        process.stdin.pipe(running);
        running.pipe(process.stdout);
        await new Promise<void>((resolve) => running.once('close', () => resolve()));
        process.stdin.destroy();
        return exit.done;
      }
      return serveStdio(place, options, await place.load(options.file, options.flags));
    },
  });
}

export async function serveStdio(
  place: ServerPlace,
  options: StartOptions,
  loaded: Awaited<ReturnType<ServerPlace['load']>>,
): Promise<number> {
  await using runtime = await place.start(options, loaded);
  await using _watch = runtime.watch();
  runtime.events.record({ type: 'gateway.started', version: place.version });
  const { gateway, n8n, nodes } = runtime.apis;
  // It has no sessions that others could ask for.
  runtime.shared.peers?.announce(undefined, gateway.report);
  const served = serveStream({
    input: process.stdin,
    output: process.stdout,
    service: gateway.service,
    principal: localOwner,
    view: {},
    id: 'stdio',
  });
  // Without an n8n, fetch no catalogue before somebody asks for nodes.
  if (n8n.names().length > 0) nodes.checkSoon();
  const reason = await Promise.race([served.closed.then(() => 'the client has gone'), untilSignal()]);
  served.close();
  runtime.events.record({ type: 'gateway.stopped', reason });
  process.stdin.destroy();
  return exit.done;
}
