import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import type { Progress } from '../kernel/progress.ts';
import type { CallContext } from '../kernel/source.ts';
import { type OfFamily, type Tool, type ToolWith, toolsFor } from '../kernel/tool.ts';
import type { AskedNodes } from '../nodes/asked/asked.ts';
import type { Catalogues } from '../nodes/catalogue.ts';
import type { Backups } from './backups/backups.ts';
import type { N8nClient } from './client/client.ts';
import type { OwnRecords } from './generate/records.ts';
import { instanceInput } from './instance-input.ts';
import type { Instances } from './instances.ts';
import type { PromotionRecords } from './promotion/records.ts';
import type { TemplateLibrary } from './templates/template.ts';
import type { ValidationSettings } from './validation/settings.ts';

/** What the n8n tools can use. */
export interface N8nDeps {
  readonly instances: Instances;
  readonly backups: Backups;
  readonly catalogues: Catalogues;
  /** Records of the workflows we generate in n8n. */
  readonly records: OwnRecords;
  /** Ready-made workflows: n8n's public library and libraries of one's own. */
  readonly templates: TemplateLibrary;
  /** Which nodes were asked about; absent if nobody counts. */
  readonly asked?: AskedNodes;
  /** Plans, journals and mappings of promotions between instances. */
  readonly promotions: PromotionRecords;
  /** The validator's settings; its defaults if absent. */
  readonly validation?: () => ValidationSettings;
}

/** The dependencies of one call. */
export interface AskedDeps extends N8nDeps {
  /** Client of the requested instance. Throws when read if there is no such instance. */
  readonly client: N8nClient;
}

interface N8nTool<S extends z.ZodRawShape, O extends z.ZodType>
  extends Omit<OfFamily<Tool<AskedDeps, z.ZodObject<S>, O>>, 'input'> {
  /** The arguments besides `instance`, which every tool has. To receive `instance` in `run`, list it here, too. */
  readonly input: S;
  /** Wraps the schema to accept other forms of the arguments, for example a pasted workflow. */
  readonly reads?: (input: z.ZodObject) => z.ZodType;
  /** It names the instances itself, for example `from` and `to`: its schema has no `instance`. */
  readonly namesInstances?: true;
}

const define = toolsFor<N8nDeps>({ category: 'n8n' });

/** Defines an n8n tool. Its scope follows from its effect, and `run` gets the client of the requested instance. */
export function n8nTool<S extends z.ZodRawShape, O extends z.ZodType>(tool: N8nTool<S, O>): ToolWith<N8nDeps, O> {
  const { input, reads, namesInstances, preview, run, ...about } = tool;
  const schema = z.strictObject({ ...(!namesInstances && { instance: instanceInput }), ...input });
  const askedOf = namesInstances ? withoutClient : asked;
  const own = (given: Given) => (Object.hasOwn(input, 'instance') ? given : withoutInstance(given)) as never;
  return define<z.ZodType<Given>, O>({
    ...about,
    input: (reads?.(schema) ?? schema) as z.ZodType<Given>,
    ...(preview && { preview: (given, deps, context) => preview(own(given), askedOf(deps, given), context) }),
    run: (given, deps, context, progress) =>
      run(own(given), askedOf(patient(deps, context, progress), given), context, progress),
  });
}

/** The argument that every tool has. */
interface Given {
  readonly instance?: string | undefined;
}

const withoutInstance = ({ instance: _, ...given }: Given) => given;

/** `client` is a getter because a tool may choose another instance, and the requested one may not exist. */
function asked(deps: N8nDeps, { instance }: Given): AskedDeps {
  return {
    ...deps,
    get client() {
      return deps.instances.get(instance);
    },
  };
}

/** A tool that names its instances must not take the default one by accident. */
function withoutClient(deps: N8nDeps): AskedDeps {
  return {
    ...deps,
    get client(): never {
      throw new AppError('internal', 'This tool has no instance of its own: get a client from deps.instances.');
    },
  };
}

/** While a catalogue is being built, the caller can cancel and gets progress. */
function patient({ catalogues, ...deps }: N8nDeps, { signal }: CallContext, progress: Progress): N8nDeps {
  const ready = (instance?: string) => catalogues.ready(instance, { signal, progress });
  return { ...deps, catalogues: { ...catalogues, ready } };
}
