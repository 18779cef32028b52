import { setTimeout as delay } from 'node:timers/promises';
import { exit } from '../../cli/frame.ts';
import { untilSignals } from '../../cli/interrupt.ts';
import { logStyle } from '../../host/log/server-log.ts';
import type { Action } from '../../kernel/command.ts';
import { harmless } from '../../kernel/harmless.ts';
import { assertNotOpen, listenAt } from '../listening.ts';
import { transportIn } from '../settings.ts';
import { banner, summary } from './banner.ts';
import { endsBy, endsForSure, fromFlags, type ServerPlace, sharedOptions } from './starting.ts';

const N8N_LOOK_MS = 1500;
const never = new Promise<never>(() => {});

export function serveCommand(place: ServerPlace): Action {
  return endsForSure({
    usage: '[--config F] [--host A] [--port N] [--with-n8n] [--expose flat|compact|search]',
    example: 'sluice serve --port 3500',
    options: {
      ...sharedOptions,
      host: { type: 'string', describe: 'The address to listen on (127.0.0.1)' },
      port: { type: 'string', short: 'p', describe: 'The port to listen on (3500)' },
      'with-n8n': { type: 'boolean', describe: 'Also install (once) and run an n8n on this machine' },
    },
    async run({ values }) {
      const { env, terminal, version } = place;
      const options = {
        ...fromFlags(values),
        log: logStyle(env),
        ...(values['with-n8n'] === true && { startsN8n: true }),
      };
      const loaded = await place.load(options.file, options.flags);
      if (transportIn(loaded.env) === 'stdio') {
        const { serveStdio } = await import('./stdio.ts');
        return serveStdio(place, options, loaded);
      }
      const signals = untilSignals();
      if (env.npm_lifecycle_event !== undefined) (await import('../../cli/npm-shell.ts')).stopWithNpm(env);
      const { server: wanted, auth } = loaded.config;
      // Check access and bind the ports before starting any server.
      assertNotOpen(wanted.host, auth.mode === 'none' && auth.token === undefined);
      await using listening = await listenAt(wanted.host, wanted.port);
      await using internally = wanted.internal
        ? await (await import('../internal-listener.ts')).bindInternal(wanted)
        : undefined;
      await using runtime = await place.start({ ...options, url: listening.url }, loaded);
      // The servers start while HTTP is loaded.
      const { serveHttp } = await import('../serve-http.ts');
      await using serving = await serveHttp(runtime, { listening, internally });
      const { protection } = serving;
      await using _watch = runtime.watch();
      runtime.events.record({ type: 'gateway.started', version, url: listening.url });
      const address = runtime.server().publicUrl?.replace(/\/$/, '') ?? listening.url;
      const { mode, token } = runtime.apis.auth.settings();
      const { open } = protection.guard.settings();
      console.log(banner(version, address, loaded.file, { mode, token: token !== undefined, open }));
      if (protection.newPassword !== undefined) {
        console.log(
          `  Owner password, shown only now: ${protection.newPassword}\n  (sluice owner reset makes a new one.)\n`,
        );
      }
      if (!serving.takesCommands()) {
        console.log('  Another gateway of this data directory takes commands; this one does when that one stops.\n');
      }
      if (serving.internal !== undefined) console.log(`  Internal listener at ${serving.internal}\n`);
      const { n8n, nodes } = runtime.apis;
      await using _n8n = options.startsN8n ? await n8n.startLocal(terminal) : undefined;
      // n8n answers within a moment, or not at all.
      const looked = Promise.race([n8n.looked(), delay(N8N_LOOK_MS, undefined, { ref: false })]);
      void Promise.all([runtime.settled, looked]).then(() => console.log(harmless(summary(runtime))));
      nodes.checkSoon();
      const reason = await signals.first;
      const { stopping } = serving;
      const waiting = stopping.waitsFor();
      // A local n8n gets the time that it needs.
      if (!options.startsN8n) await endsBy(stopping.wholeMs(), runtime.apis.gateway.backends().length > 0);
      if (waiting === 'others') console.log('  Stopping. Send the signal again to stop at once.\n');
      if (waiting === 'calls') console.log('  Waiting for calls in flight. Send the signal again to end at once.\n');
      await stopping.finish(waiting === 'others' ? signals.impatient() : never);
      runtime.events.record({ type: 'gateway.stopped', reason });
      runtime.stop();
      return exit.done;
    },
  });
}
