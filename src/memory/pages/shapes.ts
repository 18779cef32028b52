/** A memory as the API has it. */
export interface Listed {
  readonly id: string;
  readonly namespace: string;
  readonly text: string;
  readonly truncated?: boolean;
  readonly recorded_at: string;
  readonly valid_from?: string;
  readonly valid_to?: string;
  readonly expires_at?: string;
  readonly tags?: readonly string[];
  readonly pinned?: boolean;
  readonly recalls?: number;
  readonly superseded_by?: string;
  readonly why?: Why;
}

export interface Why {
  readonly meaning?: number;
  readonly words?: readonly string[];
  readonly related?: readonly string[];
  readonly age?: number;
}

export interface Whole extends Listed {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly by?: {
    readonly principal: string;
    readonly name?: string;
    readonly client?: string;
    readonly call: string;
    readonly imported_at?: string;
    readonly originally?: Readonly<Record<string, string>>;
  };
  readonly versions: readonly Version[];
  readonly older?: number;
}

export interface Version {
  readonly id: string;
  readonly recorded_at: string;
  readonly valid_from: string;
  readonly valid_to?: string;
  readonly text: string;
  readonly truncated?: boolean;
}

export interface Near {
  readonly duplicate_of?: string;
  readonly contradicts?: readonly { readonly id: string; readonly text: string; readonly why: string }[];
}

export interface Namespace {
  readonly name: string;
  readonly belongs_to: string;
  readonly memories: number;
  readonly versions: number;
  readonly pinned: number;
  readonly bytes: number;
  readonly oldest?: string;
  readonly newest?: string;
}
