import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import { findInstallation, installN8n } from '../n8n/local/install.ts';
import { type KeepOptions, keepN8n } from '../n8n/local/keep.ts';
import { awaitLocal, connectLocal, isKept, lookAtLocal, stopLocal, whyNot } from '../n8n/local/local.ts';
import { followLog, lastLines } from '../n8n/local/log-tail.ts';
import { type InstancePlaces, instancePlaces } from '../n8n/local/places.ts';
import type { LocalSettings } from '../n8n/local/start.ts';
import { readState } from '../n8n/local/state.ts';
import { shortDuration } from '../host/short-duration.ts';
import { exit, UsageError } from './frame.ts';
import { untilSignal } from './interrupt.ts';
import { type HookMade, type HookWish, writeHook } from './n8n-hook.ts';
import { showProgress, stateLine } from '../n8n/local/progress.ts';
import type { Terminal } from '../host/terminal.ts';
import { checkedN8n, DEFAULT_INSTANCE } from '../nodes/which-n8n.ts';

export interface N8nDeps {
  readonly home: string;
  readonly cache: string;
  settings(name: string, file?: string): Promise<LocalSettings & Pick<KeepOptions, 'hookFile'>>;
  /** Starts `sluice` with these words, apart from us. */
  readonly self: { command: string; args: readonly string[]; env: KeepOptions['env'] };
  /** The file that lets an n8n tell a gateway of this home what changed. */
  hook(wish: HookWish): Promise<HookMade>;
}

type Values = Record<string, string | boolean | undefined>;

const verbs = ['up', 'down', 'status', 'logs', 'hook', 'run'] as const;
const LINES = 200;
const TAKEN_LOOK_MS = 50;
const GONE_LOOK_MS = 1000;

/** A local n8n: brought up, looked at, taken down. */
export function n8nCommand(deps: N8nDeps, terminal: Terminal): Command {
  const { home, cache } = deps;

  async function wanted(values: Values, name: string): ReturnType<N8nDeps['settings']> {
    const settings = await deps.settings(name, typeof values.config === 'string' ? values.config : undefined);
    return {
      ...settings,
      ...(typeof values.version === 'string' && { version: checkedN8n(values.version) }),
      ...(values.port !== undefined && { port: portIn(values.port) }),
    };
  }

  async function up(values: Values, places: InstancePlaces): Promise<number> {
    const { version, env, port } = await wanted(values, places.name);
    const running = await lookAtLocal(places);
    if (running && running.version !== version) {
      throw new AppError(
        'conflict',
        `n8n ${running.version} is running. \`sluice n8n down\` first, then up with ${version}.`,
      );
    }
    let child: ChildProcess | undefined;
    if (!running) {
      // Here and not in the process that stays: this is where somebody looks.
      await installN8n({ cache, env, version, onProgress: showProgress(terminal, version) });
      const flags = ['--name', places.name, '--version', version];
      if (port !== undefined) flags.push('--port', String(port));
      if (typeof values.config === 'string') flags.push('--config', values.config);
      if (typeof values['until-gone'] === 'string') flags.push('--until-gone', values['until-gone']);
      child = spawn(deps.self.command, [...deps.self.args, 'n8n', 'run', ...flags], {
        detached: true,
        stdio: 'ignore',
        env: deps.self.env,
      });
      child.unref();
      await untilTaken(places, child);
    }
    if (values['no-wait'] === true) {
      terminal.say('n8n is starting. `sluice n8n status` tells when it is ready, `sluice n8n logs` what it says.');
      return exit.done;
    }
    const { url } = await awaitLocal(places, {
      onState: (state) => {
        const line = state.state === 'ready' ? undefined : stateLine(state);
        if (line !== undefined) terminal.say(line);
      },
    });
    terminal.print(url);
    terminal.say(running ? 'It was running already.' : readyLine(places.name));
    return exit.done;
  }

  async function down(places: InstancePlaces): Promise<number> {
    const stopped = await stopLocal(places);
    terminal.say(
      stopped ? 'n8n has stopped. Its workflows stay, for the next `sluice n8n up`.' : 'n8n was not running.',
    );
    return exit.done;
  }

  async function status(values: Values, places: InstancePlaces): Promise<number> {
    const state = await lookAtLocal(places);
    const last = state ?? (await readState(places));
    const { version } = state ?? (await wanted(values, places.name));
    const installed = (await findInstallation({ cache, env: {}, version })) !== undefined;
    const ready = state?.state === 'ready';
    const secret = values['show-key'] === true && ready ? await connectLocal(home, places.name) : undefined;
    const shown = {
      name: places.name,
      state: state?.state ?? (last?.state === 'failed' ? 'failed' : 'stopped'),
      version,
      installed,
      ...(state && 'url' in state && { url: state.url }),
      ...(state?.state === 'ready' && { pid: state.n8nPid }),
      ...(state && { keeper: state.pid, keptBy: state.keptBy, since: state.since, restarts: state.restarts }),
      ...(last && 'reason' in last && { reason: last.reason }),
      data: places.data,
      record: places.record,
      log: places.log,
      ...(secret && { apiKey: secret.apiKey, ...secret.login }),
    };
    if (values.json) terminal.print(JSON.stringify(shown, null, 2));
    else {
      const rows = Object.entries({
        ...shown,
        installed: installed ? 'yes' : 'no; `sluice n8n up` does it',
        ...(state && { since: `${state.since} (${shortDuration(Date.now() - Date.parse(state.since))})` }),
      });
      terminal.print(rows.map(([key, value]) => `${key.padEnd(9)} ${String(value)}`).join('\n'));
    }
    if (values['show-key'] === true && !secret) terminal.say('The key is shown while n8n runs: `sluice n8n up`.');
    return ready ? exit.done : exit.unreachable;
  }

  async function logs(values: Values, { log }: InstancePlaces): Promise<number> {
    const { text, end } = await lastLines(log, LINES);
    if (text !== '') terminal.print(text.replace(/\n$/, ''));
    else if (!values.follow) terminal.say(`There is no log yet. It will be ${log}.`);
    if (!values.follow) return exit.done;
    const stop = new AbortController();
    void untilSignal().then(() => stop.abort());
    await followLog(log, end, (more) => terminal.print(more.replace(/\n$/, '')), stop.signal);
    return exit.done;
  }

  /** Keeps it up in this process, until a signal. */
  async function run(values: Values, places: InstancePlaces): Promise<number> {
    const stopped = untilSignal();
    const gone = untilGone(values['until-gone']);
    const settings = await wanted(values, places.name);
    await using kept = await keepN8n({
      ...settings,
      home,
      name: places.name,
      cache,
      keptBy: 'itself',
      onProgress: showProgress(terminal, settings.version),
      onState(state) {
        const line = state.state === 'failed' ? undefined : stateLine(state);
        if (line !== undefined) terminal.say(line);
      },
    });
    if (!kept) throw new AppError('conflict', `The local n8n ${places.name} is running already.`);
    await Promise.race([stopped, gone, kept.ended]);
    return exit.done;
  }

  return {
    name: 'n8n',
    summary: 'Installs and runs an n8n on this machine; writes the hook file for any n8n',
    usage:
      'sluice n8n up [--port N] [--version V] [--no-wait] | down | status [--json] [--show-key] | logs [--follow] | hook [--out FILE] [--url U] | run',
    example: 'sluice n8n up',
    positionals: [1, 1],
    options: {
      config: {
        type: 'string',
        short: 'c',
        describe: 'The configuration file (sluice.yaml here, else in the data directory)',
      },
      name: { type: 'string', describe: 'Which one, where there are several (default)' },
      port: {
        type: 'string',
        short: 'p',
        describe: 'The port of n8n (that of the last time, else 5678, else a free one)',
      },
      version: {
        type: 'string',
        describe: 'The version of n8n (as the configuration says, else the one we know best)',
      },
      wait: { type: 'boolean', describe: 'up: return when it is ready (it does)' },
      'no-wait': { type: 'boolean', describe: 'up: return as soon as it starts' },
      follow: { type: 'boolean', short: 'f', describe: 'logs: go on as it writes' },
      'show-key': { type: 'boolean', describe: "status: also n8n's API key and the owner's login" },
      'until-gone': { type: 'string', describe: 'up, run: stop it when the process with this number is gone' },
      out: { type: 'string', short: 'o', describe: 'hook: the file to write (in the data directory); - prints it' },
      url: { type: 'string', describe: 'hook: where n8n reaches this gateway (as the configuration says)' },
      json: { type: 'boolean', describe: 'status: print JSON' },
    },
    async run({ values, positionals: [given] }) {
      const places = instancePlaces(home, typeof values.name === 'string' ? values.name : undefined);
      switch (verbs.find((known) => known === given)) {
        case 'up':
          return up(values, places);
        case 'down':
          return down(places);
        case 'status':
          return status(values, places);
        case 'logs':
          return logs(values, places);
        case 'hook':
          return writeHook(deps.hook, values, places.name, terminal);
        case 'run':
          return run(values, places);
        default:
          throw new UsageError(`say ${verbs.join(', ')}, not ${given}`);
      }
    },
  };
}

function portIn(text: string | boolean): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new UsageError(`--port is a number from 0 to 65535, not ${text}`);
}

/** The process that stays has taken n8n over, or has said why it could not. */
async function untilTaken(places: InstancePlaces, child: ChildProcess): Promise<void> {
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  child.once('error', () => {
    ended = true;
  });
  for (;;) {
    // Another may have been faster than ours: all the same.
    if (await lookAtLocal(places)) return;
    if (ended && !(await isKept(places))) throw new AppError('unavailable', whyNot(await readState(places), places));
    await delay(TAKEN_LOOK_MS);
  }
}

function untilGone(text: string | boolean | undefined): Promise<void> {
  if (text === undefined) return new Promise(() => {});
  const pid = Number(text);
  if (!Number.isInteger(pid) || pid <= 1) throw new UsageError(`--until-gone is the number of a process, not ${text}`);
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      try {
        process.kill(pid, 0);
      } catch {
        clearInterval(timer);
        resolve();
      }
    }, GONE_LOOK_MS);
    timer.unref();
  });
}

/** Only the default one is found by a gateway of the same home. */
function readyLine(name: string): string {
  if (name === DEFAULT_INSTANCE)
    return 'n8n is ready. Gateways of this home connect to it by themselves. `sluice n8n status --show-key` shows its login and key, `sluice n8n down` stops it.';
  const at = `--name ${name}`;
  return `n8n is ready. \`sluice n8n status ${at} --show-key\` shows its address and key: put them into n8n.${name} of the configuration to connect it. \`sluice n8n down ${at}\` stops it.`;
}
