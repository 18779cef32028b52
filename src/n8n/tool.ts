import { z } from 'zod';
import type { Progress } from '../kernel/progress.ts';
import type { CallContext } from '../kernel/source.ts';
import { type OfFamily, type Tool, type ToolWith, toolsFor } from '../kernel/tool.ts';
import type { Catalogues } from '../nodes/catalogue.ts';
import type { Backups } from './backups/backups.ts';
import type { N8nClient } from './client/client.ts';
import type { OwnRecords } from './generate/records.ts';
import { instanceInput } from './instance-input.ts';
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

/** The same for one call. */
export interface AskedDeps extends N8nDeps {
  /** The n8n that was asked for. Reading it throws where there is no such n8n. */
  readonly client: N8nClient;
}

interface N8nTool<S extends z.ZodRawShape, O extends z.ZodType>
  extends Omit<OfFamily<Tool<AskedDeps, z.ZodObject<S>, O>>, 'input'> {
  /** Its arguments, besides the `instance` that every tool has. One that wants to know that has it among its own. */
  readonly input: S;
  /** Reads other forms of the arguments as this one, such as a pasted workflow. */
  readonly reads?: (input: z.ZodObject) => z.ZodType;
}

const define = toolsFor<N8nDeps>({ category: 'n8n' });

/** A tool for n8n. Its scope follows from its effect, and it is handed the client of the n8n that was asked for. */
export function n8nTool<S extends z.ZodRawShape, O extends z.ZodType>(tool: N8nTool<S, O>): ToolWith<N8nDeps, O> {
  const { input, reads, preview, run, ...about } = tool;
  const schema = z.strictObject({ instance: instanceInput, ...input });
  const own = (given: Given) => (Object.hasOwn(input, 'instance') ? given : withoutInstance(given)) as never;
  return define<z.ZodType<Given>, O>({
    ...about,
    input: (reads?.(schema) ?? schema) as z.ZodType<Given>,
    ...(preview && { preview: (given, deps, context) => preview(own(given), asked(deps, given), context) }),
    run: (given, deps, context, progress) =>
      run(own(given), asked(patient(deps, context, progress), given), context, progress),
  });
}

/** What the arguments of every tool hold. */
interface Given {
  readonly instance?: string | undefined;
}

const withoutInstance = ({ instance: _, ...given }: Given) => given;

/** A getter: a tool may have its own idea of which n8n is meant, and the usual one need not exist. */
function asked(deps: N8nDeps, { instance }: Given): AskedDeps {
  return {
    ...deps,
    get client() {
      return deps.instances.get(instance);
    },
  };
}

/** The caller can stop waiting for a catalogue that is being built, and hears how far it is. */
function patient({ catalogues, ...deps }: N8nDeps, { signal }: CallContext, progress: Progress): N8nDeps {
  const ready = (instance?: string) => catalogues.ready(instance, { signal, progress });
  return { ...deps, catalogues: { ...catalogues, ready } };
}
