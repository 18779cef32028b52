import type { ModelChoice } from '../embedder/choice.ts';
import type { Embedding } from '../embedder/part.ts';
import type { BackendSettings } from '../gateway/settings.ts';
import { messageOf } from '../kernel/errors.ts';
import { createBudget } from './budget.ts';
import { findModule } from './find-module.ts';
import { brokenInstance, createInstance, type Instance } from './instance.ts';
import type { Around } from './module.ts';
import { ownOf } from './own.ts';
import { parsed } from './parsed.ts';
import type { Preset } from './presets/preset.ts';
import type { PresetSection } from './presets/section.ts';
import { secretsIn } from './secrets.ts';
import type { ModulesHost, Section } from './settings.ts';
import { watched } from './watched.ts';

/** A section whose server the gateway runs. */
export interface Brought {
  readonly written: string;
  /** Which preset it is. */
  readonly type: string;
  readonly mode: PresetSection['mode'];
  readonly server: BackendSettings;
  readonly secrets: readonly string[];
}

/** A section that is served. */
export interface Serving {
  readonly written: string;
  readonly instance: Instance;
  readonly secrets: readonly string[];
  readonly watch: Disposable & { begin(): void };
}

export interface Surroundings {
  readonly host: ModulesHost;
  readonly embedder: Pick<Embedding, 'model'>;
  readonly revealed: Around['revealed'];
  /** Makes paths absolute that are relative to the file. */
  from(path: string): string;
}

export async function serve(around: Surroundings, name: string, section: Section): Promise<Serving | Brought> {
  const { host, embedder, revealed, from } = around;
  const written = JSON.stringify(section);
  const found = await findModule(name, section, from);
  // The file was checked with the same code.
  if ('problem' in found) throw new Error(found.problem);
  if ('preset' in found) return { written, ...(await brought(name, found.preset, section, host.home)) };
  const result = parsed(name, found.module, section);
  if ('findings' in result) throw new Error(result.findings[0]?.message);
  const { settings } = result;
  const instance = await createInstance({
    name,
    module: found.module,
    settings,
    own: ownOf(host),
    model: (choice: ModelChoice = { kind: 'packaged' }) =>
      embedder.model(choice.kind === 'directory' ? { ...choice, path: from(choice.path) } : choice),
    budget: (limit) => createBudget(host.store.tables, name, limit),
    revealed,
    idleMs: host.idleMs,
    redact: host.redact,
    changed: (reason) =>
      host.events.record(
        reason === undefined
          ? { type: 'module.recovered', source: name }
          : { type: 'module.failed', source: name, reason },
      ),
  }).catch((error: unknown) => {
    // The code of somebody's module must not keep the others from being served.
    const reason = host.redact(
      `The module of ${name} fails: ${messageOf(error)}. Correct its code, then restart Sluice.`,
    );
    host.events.record({ type: 'module.failed', source: name, reason });
    return brokenInstance({ name, settings }, reason);
  });
  const watch = watched(instance, host.stopping);
  return { written, instance, watch, secrets: secretsIn(found.module, settings) };
}

async function brought(name: string, preset: Preset | undefined, section: Section, home: string) {
  const [{ readSection }, { serverOf, presetSecrets }] = await Promise.all([
    import('./presets/section.ts'),
    import('./presets/server.ts'),
  ]);
  const read = readSection(name, preset, section);
  if ('findings' in read) throw new Error(read.findings[0]?.message);
  const { type = name, mode } = read.section;
  return { type, mode, server: await serverOf(name, read, home), secrets: presetSecrets(read) };
}
