import { type AnyTool, toolsFor } from '../kernel/tool.ts';
import type { Catalogues } from '../nodes/catalogue.ts';
import type { Backups } from './backups/backups.ts';
import type { OwnRecords } from './generate/records.ts';
import type { Instances } from './instances.ts';
import type { ValidationSettings } from './validation/settings.ts';

/** What the tools for n8n may use. */
export interface N8nDeps {
  readonly instances: Instances;
  readonly backups: Backups;
  readonly catalogues: Catalogues;
  /** Of what is generated in n8n. */
  readonly records: OwnRecords;
  /** How the validator is set up; as usual unless told. */
  readonly validation?: () => ValidationSettings;
}

export const n8nTool = toolsFor<N8nDeps>();

/** A tool whose caller can stop waiting for a catalogue that is being built, and hears how far that is. */
export function withPatience(tool: AnyTool<N8nDeps>): AnyTool<N8nDeps> {
  return {
    ...tool,
    run(input, { catalogues, ...deps }, context, progress) {
      const waiting = { signal: context.signal, progress };
      const patient = { ...catalogues, ready: (instance?: string) => catalogues.ready(instance, waiting) };
      return tool.run(input, { ...deps, catalogues: patient }, context, progress);
    },
  };
}
