import { exit, UsageError } from '../../cli/frame.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { jsonOption, textIn } from '../../cli/values.ts';
import { isHttpUrl } from '../../host/config/scalars.ts';
import type { Place } from '../../host/place.ts';
import type { Action } from '../../kernel/command.ts';
import { fetchModel, type FetchOptions } from '../fetch-model.ts';
import { HUB, minilm } from '../hub-model.ts';
import { installRuntime, type RuntimeProgress } from '../runtime.ts';

type FetchPlace = Pick<Place, 'cache' | 'env' | 'terminal'>;

/** `sluice memory model fetch` */
export function modelFetchCommand(
  { cache, env, terminal }: FetchPlace,
  { model = minilm, ...rest }: Partial<Pick<FetchOptions, 'model' | 'retry' | 'stallMs'>> = {},
): Action {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

  return {
    usage: '[--from URL] [--runtime-only] [--json]',
    example: 'sluice memory model fetch',
    options: {
      from: { type: 'string', describe: `Download from this mirror instead of ${HUB}` },
      'runtime-only': { type: 'boolean', describe: 'Only install what runs models, for a model of your own' },
      json: jsonOption,
    },
    async run({ values }) {
      const from = textIn(values, 'from') ?? HUB;
      if (!isHttpUrl(from)) throw new UsageError('--from is not an http or https URL');
      const signal = untilCancelled('Stopped. Run it again to continue.');
      const runtime = await installRuntime({
        cache,
        env,
        signal,
        onProgress: (progress) => terminal.progress(runtimeLine(progress)),
      });
      if (values['runtime-only'] === true) {
        terminal.print(values.json === true ? JSON.stringify({ runtime }) : `The runtime is installed in ${runtime}.`);
        return exit.done;
      }
      const directory = await fetchModel({
        ...rest,
        cache,
        from,
        model,
        signal,
        waiting: () => terminal.say(`Waiting for another process that downloads ${model.name}`),
        onProgress: ({ done, of }) =>
          terminal.progress(`Downloading ${model.name}: ${megabytes(done)} of ${megabytes(of)} MB`),
      });
      terminal.print(
        values.json === true ? JSON.stringify({ model: model.name, directory, runtime }) : useOf(model.name, directory),
      );
      return exit.done;
    },
  };
}

const runtimeLine = (progress: RuntimeProgress): string =>
  progress.phase === 'waiting'
    ? 'Waiting for another process that installs the runtime'
    : `Installing the runtime: ${progress.packages} files fetched`;

const useOf = (name: string, directory: string): string => `${name} is in ${directory}.
To use it, write into sluice.yaml:

memory:
  embedder:
    directory: ${/^[\w./-]+$/.test(directory) ? directory : JSON.stringify(directory)}

Then restart Sluice. It embeds existing memories again, in the background.`;
