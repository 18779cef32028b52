/** As the REST interface says them: see its description at /api/v1/openapi.json. */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'execute';
export type Exposure = 'flat' | 'compact' | 'search';

export interface Brief {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly source: string;
  readonly effect: Effect;
  readonly exposure: Exposure;
  readonly bytes: { readonly flat: number; readonly compact: number };
}

export interface Details extends Brief {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly output_schema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly category: string;
  readonly tags: readonly string[];
  readonly version: string;
  readonly available: boolean;
  readonly scope: string;
  readonly needs_confirmation: boolean;
  readonly confirmed_by?: 'token' | 'human';
  readonly workflow_guidance: string | null;
  readonly usage_examples: readonly unknown[];
  /** How a compact list shows it. */
  readonly line: string;
  readonly original_name?: string;
}

export interface SourceCost {
  readonly source: string;
  readonly exposure: Exposure;
  readonly tools: number;
  readonly flat: number;
  readonly compact: number;
}

export interface Costs {
  readonly sources: readonly SourceCost[];
  readonly search: number;
  readonly total: { readonly now: number; readonly flat: number; readonly compact: number; readonly search: number };
}
