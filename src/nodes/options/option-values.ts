/** How a node has the choices of a parameter looked up while someone fills it in. */
export type OptionSource =
  /** A list that a method of the node makes. */
  | { readonly by: 'method'; readonly method: string }
  /** A list that one request of the node gives; n8n finds out which by the path. */
  | { readonly by: 'request' }
  /** A list that can be searched, page by page. */
  | { readonly by: 'search'; readonly method: string; readonly searchable: boolean; readonly filterRequired: boolean }
  /** The columns or fields to be filled. `local`: n8n itself knows them, no service is asked. */
  | { readonly by: 'fields'; readonly method: string; readonly local: boolean }
  /** The workflows of this n8n. */
  | { readonly by: 'workflows' };

export interface OptionRequest {
  readonly node: string;
  readonly version: number;
  /** As the parameters have it: `channelId`, `options.view`. */
  readonly path: string;
  readonly source: OptionSource;
  /** Those of the node, with the defaults of what is not given. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credential?: CredentialMeant;
  readonly query?: string;
  /** Where the service's own list goes on. */
  readonly page?: string;
}

export interface CredentialMeant {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

export interface OptionValue {
  readonly name: string;
  /** What goes into the parameter. */
  readonly value: string | number | boolean;
  readonly description?: string;
  /** Of a field: its kind, whether it must be filled, and what it can be. */
  readonly type?: string;
  readonly required?: boolean;
}

export interface OptionPage {
  readonly values: readonly OptionValue[];
  readonly next?: string;
}

/** The choices that only an n8n can look up, because it holds the credentials. */
export interface OptionValues {
  /** Whether there is an n8n to ask. */
  isConnected(): boolean;
  credential(instance: string | undefined, id: string, signal: AbortSignal): Promise<CredentialMeant>;
  read(instance: string | undefined, request: OptionRequest, signal: AbortSignal): Promise<OptionPage>;
}
