import { setTimeout as delay } from 'node:timers/promises';
import { banner, summary } from './cli/banner.ts';
import { exit, UsageError } from './cli/frame.ts';
import { untilSignal } from './cli/interrupt.ts';
import { attach } from './host/attach.ts';
import { ConfigError, formatProblems } from './host/config/load.ts';
import { homeDirectory, socketPath } from './host/home.ts';
import { logStyle } from './host/log/server-log.ts';
import type { Env } from './host/part.ts';
import type { Terminal } from './host/terminal.ts';
import type { Command } from './kernel/command.ts';
import { harmless } from './kernel/harmless.ts';
import { localOwner } from './kernel/principal.ts';
import { load, type Loaded, type RuntimeOptions, startRuntime } from './runtime.ts';
import { assertNotOpen, listenAt } from './server/listening.ts';
import { transportIn } from './server/part.ts';
import { version } from './version.ts';
import { serveStream } from './wire/stream.ts';

const N8N_LOOK_MS = 1500;

const exposures = ['flat', 'compact', 'search'] as const;

const shared = {
  config: {
    type: 'string',
    short: 'c',
    describe: 'The configuration file (sluice.yaml here, else in the data directory)',
  },
  expose: { type: 'string', describe: 'How tools are listed: flat, compact or search' },
} as const;

type Values = Record<string, string | boolean | undefined>;

function exposeIn({ expose }: Values): (typeof exposures)[number] | undefined {
  const known = exposures.find((one) => one === expose);
  if (expose !== undefined && !known) throw new UsageError(`--expose is flat, compact or search, not ${expose}`);
  return known;
}

/** What is typed comes before what stands in the file. */
function runtimeOptions(values: Values, env: Env): RuntimeOptions {
  const expose = exposeIn(values);
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
    throw new UsageError(`--port is a number from 0 to 65535, not ${values.port}`);
  const host = typeof values.host === 'string' ? values.host : undefined;
  return {
    home: homeDirectory(env),
    cwd: process.cwd(),
    env,
    log: logStyle(env),
    flags: {
      ...(expose && { gateway: { expose } }),
      ...((host !== undefined || port !== undefined) && {
        server: { ...(host !== undefined && { host }), ...(port !== undefined && { port }) },
      }),
    },
    ...(typeof values.config === 'string' && { file: values.config }),
    ...(values['with-n8n'] === true && { startsN8n: true }),
  };
}

/** The configuration, or undefined after its problems were printed. */
async function loadOrExplain(options: RuntimeOptions): Promise<Loaded | undefined> {
  try {
    return await load(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(harmless(formatProblems(error)));
    return undefined;
  }
}

export function serveCommand(env: Env, terminal: Terminal): Command {
  return {
    name: 'serve',
    summary: 'Serves the gateway over HTTP',
    usage: 'sluice serve [--config F] [--host A] [--port N] [--with-n8n] [--expose flat|compact|search]',
    example: 'sluice serve --port 3500',
    options: {
      ...shared,
      host: { type: 'string', describe: 'The address to listen on (127.0.0.1)' },
      port: { type: 'string', short: 'p', describe: 'The port to listen on (3500)' },
      'with-n8n': { type: 'boolean', describe: 'Also install (once) and run an n8n on this machine' },
    },
    async run({ values }) {
      const options = runtimeOptions(values, env);
      const loaded = await loadOrExplain(options);
      if (!loaded) return exit.failed;
      if (transportIn(loaded.env) === 'stdio') return serveStdio(options, loaded);
      const stopped = untilSignal();
      const { server: wanted, auth } = loaded.config;
      // What is taken or refused is so before any server is started.
      assertNotOpen(wanted.host, auth.mode === 'none' && auth.token === undefined);
      await using listening = await listenAt(wanted.host, wanted.port);
      await using internally = wanted.internal
        ? await (await import('./server/internal-listener.ts')).bindInternal(wanted)
        : undefined;
      await using runtime = await startRuntime({ ...options, url: listening.url }, loaded);
      // The servers behind us start meanwhile.
      const { serveHttp } = await import('./server/serve-http.ts');
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
          `  Owner password, shown this once: ${protection.newPassword}\n  (sluice owner reset makes a new one.)\n`,
        );
      }
      if (!serving.takesCommands()) {
        console.log('  Another gateway of this data directory takes commands; this one does when that has gone.\n');
      }
      if (serving.internal !== undefined) console.log(`  Internal listener at ${serving.internal}\n`);
      const { n8n, nodes } = runtime.apis;
      await using _n8n = options.startsN8n ? await n8n.startLocal(terminal) : undefined;
      // What n8n says of itself comes in a moment, or not at all.
      const looked = Promise.race([n8n.looked(), delay(N8N_LOOK_MS, undefined, { ref: false })]);
      void Promise.all([runtime.settled, looked]).then(() => console.log(harmless(summary(runtime))));
      nodes.checkSoon();
      const reason = await stopped;
      runtime.events.record({ type: 'gateway.stopped', reason });
      runtime.stop();
      return exit.done;
    },
  };
}

export function stdioCommand(env: Env): Command {
  return {
    name: 'stdio',
    summary: 'Serves the gateway over stdio, for Claude Desktop, Cursor and others',
    usage: 'sluice stdio [--config F]',
    example: 'sluice stdio --config ~/sluice.yaml',
    options: shared,
    async run({ values }) {
      const options = runtimeOptions(values, env);
      const running = await attach(socketPath(options.home), exposeIn(values));
      if (running) {
        // Another gateway of this home has the backends up: its lines are ours.
        process.stdin.pipe(running);
        running.pipe(process.stdout);
        await new Promise<void>((resolve) => running.once('close', () => resolve()));
        process.stdin.destroy();
        return exit.done;
      }
      const loaded = await loadOrExplain(options);
      return loaded ? serveStdio(options, loaded) : exit.failed;
    },
  };
}

async function serveStdio(options: RuntimeOptions, loaded: Loaded): Promise<number> {
  await using runtime = await startRuntime(options, loaded);
  await using _watch = runtime.watch();
  runtime.events.record({ type: 'gateway.started', version });
  const { gateway, n8n, nodes } = runtime.apis;
  const served = serveStream({
    input: process.stdin,
    output: process.stdout,
    service: gateway.service,
    principal: localOwner,
    view: {},
    id: 'stdio',
  });
  // Without an n8n nothing is fetched before somebody asks for nodes.
  if (n8n.names().length > 0) nodes.checkSoon();
  const reason = await Promise.race([served.closed.then(() => 'the client has gone'), untilSignal()]);
  served.close();
  runtime.events.record({ type: 'gateway.stopped', reason });
  process.stdin.destroy();
  return exit.done;
}

const LINGER_MS = 500;

/** What a library goes on trying, such as to send the last traces, does not keep a stopped gateway alive. */
export function endsForSure(command: Command): Command {
  return {
    ...command,
    async run(args) {
      const code = await command.run(args);
      setTimeout(() => process.exit(code), LINGER_MS).unref();
      return code;
    },
  };
}
