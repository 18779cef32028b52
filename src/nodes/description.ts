/**
 * n8n's own node descriptions, as its packages and instances write them. Only the fields Sluice uses are typed. Names are
 * full (`n8n-nodes-base.if`), and `version` is always a list.
 */
export interface NodeDescription {
  readonly name: string;
  readonly displayName: string;
  readonly description?: string;
  readonly group: readonly string[];
  readonly version: readonly number[];
  readonly defaultVersion?: number;
  readonly subtitle?: string;
  readonly defaults?: { readonly name?: string };
  readonly inputs: Ports;
  readonly outputs: Ports;
  readonly inputNames?: readonly string[];
  readonly outputNames?: readonly string[];
  readonly requiredInputs?: number | readonly number[] | string;
  readonly credentials?: readonly CredentialNeed[];
  readonly properties: readonly Property[];
  readonly usableAsTool?: boolean | object;
  readonly hidden?: boolean;
  readonly polling?: boolean;
  readonly maxNodes?: number;
  readonly webhooks?: readonly Record<string, unknown>[];
  /** Feature names that `@feature` in display conditions refers to, each with the versions that have it. */
  readonly features?: Readonly<Record<string, unknown>>;
  readonly codex?: {
    readonly categories?: readonly string[];
    readonly subcategories?: Readonly<Record<string, readonly string[]>>;
    readonly alias?: readonly string[];
    readonly resources?: Readonly<Record<string, readonly { readonly url: string }[]>>;
  };
}

/** A string is an expression, evaluated for the node's current configuration: see `ports.ts`. */
export type Ports = string | readonly (string | Port)[];

export interface Port {
  readonly type: string;
  readonly displayName?: string;
  readonly required?: boolean;
  readonly maxConnections?: number;
  readonly category?: string;
  /** Which nodes may be connected here. */
  readonly filter?: { readonly nodes?: readonly string[]; readonly excludedNodes?: readonly string[] };
}

export interface CredentialNeed {
  readonly name: string;
  readonly displayName?: string;
  readonly required?: boolean;
  readonly displayOptions?: DisplayOptions;
}

export interface Property {
  readonly name: string;
  readonly displayName: string;
  readonly type: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly noDataExpression?: boolean;
  readonly displayOptions?: DisplayOptions;
  readonly disabledOptions?: DisplayOptions;
  /** Choices (`value`), the groups of a fixedCollection (`values`), or the fields of a collection (`type`). */
  readonly options?: readonly (Choice | Group | Property)[];
  readonly modes?: readonly Mode[];
  readonly typeOptions?: Readonly<Record<string, unknown>>;
  readonly validateType?: string;
  readonly allowArbitraryValues?: boolean;
  readonly credentialTypes?: readonly string[];
}

export interface Choice {
  readonly name: string;
  readonly value: string | number | boolean;
  readonly description?: string;
  readonly action?: string;
  readonly displayOptions?: DisplayOptions;
}

export interface Group {
  readonly name: string;
  readonly displayName: string;
  readonly values: readonly Property[];
}

/** One way to select a resource in a resourceLocator: from a list, by id, by URL. */
export interface Mode {
  readonly name: string;
  readonly displayName?: string;
  readonly type: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly validation?: readonly Record<string, unknown>[];
  readonly typeOptions?: Readonly<Record<string, unknown>>;
}

/** Keys are a sibling parameter (`resource`), a top-level one (`/resource`), or `@version`, `@tool`, `@feature`. */
export interface DisplayOptions {
  readonly show?: Readonly<Record<string, readonly unknown[]>>;
  readonly hide?: Readonly<Record<string, readonly unknown[]>>;
}

export interface CredentialType {
  readonly name: string;
  readonly displayName: string;
  readonly documentationUrl?: string;
  readonly extends?: readonly string[];
  readonly properties: readonly Property[];
  readonly genericAuth?: boolean;
  readonly hidden?: boolean;
  readonly supportedNodes?: readonly string[];
}
