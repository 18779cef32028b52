import { exit, UsageError } from '../../cli/frame.ts';
import { untilSignal } from '../../cli/interrupt.ts';
import { textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Action } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { localOptions, wantedLocal } from '../../n8n/commands/wanted-local.ts';
import { keepN8n } from '../../n8n/local/keep.ts';
import { isAlive } from '../../host/process-lock.ts';
import { instancePlaces } from '../../n8n/local/places.ts';
import { showProgress, stateLine } from '../../n8n/local/progress.ts';
import type { N8nConfig } from '../../n8n/settings.ts';
import { writeLocalHook } from '../hook-places.ts';

const GONE_LOOK_MS = 1000;

/** `sluice n8n run`: keeps a local n8n running in this process, with the bridge's hook file, until a signal. */
export function runN8nCommand(place: Place<N8nConfig>): Action {
  const { home, cache, terminal } = place;
  return {
    usage: '[--port N] [--version V] [--until-gone PID]',
    example: 'sluice n8n run',
    options: localOptions,
    async run({ values }) {
      const stopped = untilSignal();
      const gone = untilGone(textIn(values, 'until-gone'));
      const { name } = instancePlaces(home, textIn(values, 'name'));
      const settings = await wantedLocal(place, values, name);
      await using kept = await keepN8n({
        ...settings,
        home,
        name,
        cache,
        keptBy: 'itself',
        hookFile: writeLocalHook,
        onProgress: showProgress(terminal, settings.version),
        onState(state) {
          const line = state.state === 'failed' ? undefined : stateLine(state);
          if (line !== undefined) terminal.say(line);
        },
      });
      if (!kept) throw new AppError('conflict', `The local n8n ${name} is already running.`);
      await Promise.race([stopped, gone, kept.ended]);
      return exit.done;
    },
  };
}

function untilGone(text: string | undefined): Promise<void> {
  if (text === undefined) return new Promise(() => {});
  const pid = Number(text);
  if (!Number.isInteger(pid) || pid <= 1) throw new UsageError(`--until-gone must be a process id, not ${text}`);
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(timer);
      resolve();
    }, GONE_LOOK_MS);
    timer.unref();
  });
}
