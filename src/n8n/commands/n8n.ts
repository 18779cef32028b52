import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { exit } from '../../cli/frame.ts';
import { untilSignal } from '../../cli/interrupt.ts';
import { configOption, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import { shortDuration } from '../../host/short-duration.ts';
import type { Verbs } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { DEFAULT_INSTANCE } from '../../nodes/which-n8n.ts';
import { findInstallation, installN8n } from '../local/install.ts';
import { awaitLocal, connectLocal, isKept, lookAtLocal, stopLocal, whyNot } from '../local/local.ts';
import { followLog, lastLines } from '../local/log-tail.ts';
import { type InstancePlaces, instancePlaces } from '../local/places.ts';
import { showProgress, stateLine } from '../local/progress.ts';
import { readState } from '../local/state.ts';
import type { N8nConfig } from '../settings.ts';
import { localOptions, nameOption, wantedLocal } from './wanted-local.ts';

const LINES = 200;
const TAKEN_LOOK_MS = 50;

/** A local n8n: started, shown, stopped. */
export function n8nCommand(place: Place<N8nConfig>): Verbs {
  const { home, cache, self, terminal } = place;

  return {
    example: 'sluice n8n up',
    verbs: {
      up: {
        summary: 'Installs n8n (once) and starts it in the background',
        usage: '[--port N] [--version V] [--no-wait]',
        example: 'sluice n8n up',
        options: {
          ...localOptions,
          wait: { type: 'boolean', describe: 'Return when it is ready (the default)' },
          'no-wait': { type: 'boolean', describe: 'Return as soon as it starts' },
        },
        async run({ values }) {
          const places = instancePlaces(home, textIn(values, 'name'));
          const { version, env, port } = await wantedLocal(place, values, places.name);
          const running = await lookAtLocal(places);
          if (running && running.version !== version) {
            throw new AppError(
              'conflict',
              `n8n ${running.version} is running. Run \`sluice n8n down\` first, then up with ${version}.`,
            );
          }
          if (!running) {
            // Install in this process, where somebody watches the progress.
            await installN8n({ cache, env, version, onProgress: showProgress(terminal, version) });
            const flags = ['--name', places.name, '--version', version];
            if (port !== undefined) flags.push('--port', String(port));
            for (const option of ['config', 'until-gone']) {
              const value = textIn(values, option);
              if (value !== undefined) flags.push(`--${option}`, value);
            }
            const child = spawn(self.command, [...self.args, 'n8n', 'run', ...flags], {
              detached: true,
              stdio: 'ignore',
              env: place.env,
            });
            child.unref();
            await untilTaken(places, child);
          }
          if (values['no-wait'] === true) {
            terminal.say(
              'n8n is starting. `sluice n8n status` says when it is ready, `sluice n8n logs` shows its log.',
            );
            return exit.done;
          }
          const { url } = await awaitLocal(places, {
            onState: (state) => {
              const line = state.state === 'ready' ? undefined : stateLine(state);
              if (line !== undefined) terminal.say(line);
            },
          });
          terminal.print(url);
          terminal.say(running ? 'n8n was already running.' : readyLine(places.name));
          return exit.done;
        },
      },
      down: {
        summary: 'Stops it; its workflows are kept',
        usage: '[--name N]',
        example: 'sluice n8n down',
        options: { name: nameOption },
        async run({ values }) {
          const stopped = await stopLocal(instancePlaces(home, textIn(values, 'name')));
          terminal.say(
            stopped ? 'n8n has stopped. Its workflows are kept for the next `sluice n8n up`.' : 'n8n was not running.',
          );
          return exit.done;
        },
      },
      status: {
        summary: 'Shows whether it runs, and where',
        usage: '[--json] [--show-key]',
        example: 'sluice n8n status --show-key',
        options: {
          name: nameOption,
          config: configOption,
          'show-key': { type: 'boolean', describe: "Also show n8n's API key and the owner's login" },
          json: { type: 'boolean', describe: 'Print JSON' },
        },
        async run({ values }) {
          const places = instancePlaces(home, textIn(values, 'name'));
          const state = await lookAtLocal(places);
          const last = state ?? (await readState(places));
          const { version } = state ?? (await wantedLocal(place, values, places.name));
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
              installed: installed ? 'yes' : 'no; `sluice n8n up` installs it',
              ...(state && { since: `${state.since} (${shortDuration(Date.now() - Date.parse(state.since))})` }),
            });
            terminal.print(rows.map(([key, value]) => `${key.padEnd(9)} ${String(value)}`).join('\n'));
          }
          if (values['show-key'] === true && !secret)
            terminal.say('The key is shown only while n8n runs: `sluice n8n up`.');
          return ready ? exit.done : exit.unreachable;
        },
      },
      logs: {
        summary: 'Shows its log',
        usage: '[--follow]',
        example: 'sluice n8n logs --follow',
        options: {
          name: nameOption,
          follow: { type: 'boolean', short: 'f', describe: 'Keep printing as it writes' },
        },
        async run({ values }) {
          const { log } = instancePlaces(home, textIn(values, 'name'));
          const { text, end } = await lastLines(log, LINES);
          if (text !== '') terminal.print(text.replace(/\n$/, ''));
          else if (!values.follow) terminal.say(`There is no log yet. It will be ${log}.`);
          if (!values.follow) return exit.done;
          const stop = new AbortController();
          void untilSignal().then(() => stop.abort());
          await followLog(log, end, (more) => terminal.print(more.replace(/\n$/, '')), stop.signal);
          return exit.done;
        },
      },
    },
  };
}

/** Until the background process has taken n8n over, or has said why it could not. */
async function untilTaken(places: InstancePlaces, child: ChildProcess): Promise<void> {
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  child.once('error', () => {
    ended = true;
  });
  for (;;) {
    // Another process may have been faster; that is fine too.
    if (await lookAtLocal(places)) return;
    if (ended && !(await isKept(places))) throw new AppError('unavailable', whyNot(await readState(places), places));
    await delay(TAKEN_LOOK_MS);
  }
}

/** Gateways of this home find only the default one by themselves. */
function readyLine(name: string): string {
  if (name === DEFAULT_INSTANCE)
    return 'n8n is ready. Gateways of this home connect to it by themselves. `sluice n8n status --show-key` shows its login and key, `sluice n8n down` stops it.';
  const at = `--name ${name}`;
  return `n8n is ready. \`sluice n8n status ${at} --show-key\` shows its address and key: put them into n8n.${name} of the configuration to connect it. \`sluice n8n down ${at}\` stops it.`;
}
