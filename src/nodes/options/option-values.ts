/** How n8n's editor looks up the choices of a parameter. */
export type OptionSource =
  /** A list that a method of the node returns. */
  | { readonly by: 'method'; readonly method: string }
  /** A list from a request that the node declares; n8n finds the request by the path. */
  | { readonly by: 'request' }
  /** A list that can be searched, page by page. */
  | { readonly by: 'search'; readonly method: string; readonly searchable: boolean; readonly filterRequired: boolean }
  /** The columns or fields to fill in. `local`: n8n knows them itself and asks no service. */
  | { readonly by: 'fields'; readonly method: string; readonly local: boolean }
  /** The workflows of this n8n. */
  | { readonly by: 'workflows' };

export interface OptionRequest {
  readonly node: string;
  readonly version: number;
  /** Path in the node's parameters: `channelId`, `options.view`. */
  readonly path: string;
  readonly source: OptionSource;
  /** The node's parameters, completed with defaults. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credential?: CredentialMeant;
  readonly query?: string;
  /** The service's own cursor for the next page. */
  readonly page?: string;
}

export interface CredentialMeant {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

export interface OptionValue {
  readonly name: string;
  /** What to write into the parameter. */
  readonly value: string | number | boolean;
  readonly description?: string;
  /** Fields only. */
  readonly type?: string;
  readonly required?: boolean;
}

export interface OptionPage {
  readonly values: readonly OptionValue[];
  readonly next?: string;
}

/** Looks up choices that need an n8n, because it holds the credentials. */
export interface OptionValues {
  isConnected(): boolean;
  credential(instance: string | undefined, id: string, signal: AbortSignal): Promise<CredentialMeant>;
  read(instance: string | undefined, request: OptionRequest, signal: AbortSignal): Promise<OptionPage>;
}
