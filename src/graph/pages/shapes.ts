/** As the API has them. */
export interface Head {
  readonly name: string;
  readonly type: string;
}

export interface FoundEntity extends Head {
  readonly found_in?: readonly string[];
  readonly observation?: string;
}

export interface Line {
  readonly from: string;
  readonly type: string;
  readonly to: string;
}

interface Noted {
  readonly recorded_at: string;
  readonly valid_from?: string;
  readonly valid_to?: string;
  readonly by?: { readonly principal: string; readonly client?: string; readonly call?: string };
}

export interface Relation extends Line, Noted {
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface Observation extends Noted {
  readonly id: string;
  readonly text: string;
}

export interface Entity extends Head, Noted {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly counts: { readonly observations: number; readonly relations: number };
  readonly observations: readonly Observation[];
  readonly next?: string;
  readonly relations: readonly Relation[];
  readonly more_relations?: boolean;
}

export interface Near {
  readonly entities: readonly (Head & { readonly distance: number })[];
  readonly relations: readonly Line[];
  readonly truncated?: boolean;
}

export interface Path {
  readonly found: boolean;
  readonly entities: readonly Head[];
  readonly relations: readonly Line[];
}
