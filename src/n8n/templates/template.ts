import type { Progress } from '../../kernel/progress.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import type { Connections, Node } from '../client/shapes.ts';

/** A template in a list. */
export interface TemplateSummary {
  /** In the public library its number; in a library of one's own `<library>/<path of the file>`. */
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** Types of its nodes, without sticky notes: `n8n-nodes-base.slack`. */
  readonly nodes: readonly string[];
  /** The same with their versions. Absent if only its entry in a list was read, which does not tell them. */
  readonly versions?: readonly (readonly [type: string, version: number])[];
  readonly categories?: readonly string[];
  readonly author?: string;
  readonly views?: number;
  readonly created?: string;
  /** It has to be bought before it can be imported. */
  readonly paid?: true;
  /** `public`, or the name of a library of one's own. */
  readonly library: string;
}

/** A template with its workflow, as somebody else published it: nothing in it can be trusted. */
export interface Template extends TemplateSummary {
  readonly workflow: {
    readonly nodes: readonly Node[];
    readonly connections: Connections;
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly pinData?: Readonly<Record<string, unknown>>;
    /** Frames around nodes, as in the file. */
    readonly nodeGroups?: readonly unknown[];
    /** The workflow's own description, in full. */
    readonly description?: string;
    /** Its id where it was exported. */
    readonly id?: string;
  };
  /** When it was read from its library; absent if just now. */
  readonly readAt?: string;
  /** Why it comes from the cache although that is old. */
  readonly note?: string;
}

/** Where templates come from. */
export interface Templates {
  /** Throws AppError `not_found` with similar names, or `unavailable` if the library is away and the cache has none. */
  get(id: string, signal: AbortSignal): Promise<Template>;
}

export interface Wanted {
  readonly query?: string | undefined;
  /** Types or short names. */
  readonly nodes?: readonly string[] | undefined;
  readonly category?: string | undefined;
  readonly library?: string | undefined;
  /** Only templates for which this returns true. */
  readonly fits?: ((template: TemplateSummary) => boolean) | undefined;
}

export interface Found {
  /** Best first. */
  readonly templates: readonly TemplateSummary[];
  /** When the public library was last asked for what is in here; absent if just now, or if none of it is from there. */
  readonly asOf?: string;
  readonly notes: readonly string[];
}

export interface Suggested {
  readonly template: TemplateSummary;
  /** Which of the wanted nodes it has, as they were given. */
  readonly covered: readonly string[];
  /** Types that nobody asked for. */
  readonly extra: readonly string[];
}

export interface Synced {
  /** Templates of the public library that can be found offline now. */
  readonly templates: number;
  /** How many the library has. */
  readonly total: number;
  /** Pages read now, and pages that were current already. */
  readonly pages: { readonly read: number; readonly current: number };
}

/** Every library: the public one and those of one's own. */
export interface TemplateLibrary extends Templates, AsyncDisposable {
  /** A catalogue helps to recognise nodes by their titles. */
  search(wanted: Wanted, signal: AbortSignal, catalogue?: Catalogue): Promise<Found>;
  suggest(
    nodes: readonly string[],
    signal: AbortSignal,
    catalogue?: Catalogue,
  ): Promise<{ readonly suggested: readonly Suggested[]; readonly asOf?: string; readonly notes: readonly string[] }>;
  /** Downloads the entries of the most viewed templates. */
  sync(limit: number, signal: AbortSignal, progress: Progress): Promise<Synced>;
}
