/** A key as /api/v1/keys shows it. */
export interface ShownKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly tools?: readonly string[];
  readonly readOnly?: boolean;
  readonly confirm?: 'never' | 'destructive' | 'writes';
  readonly rate?: string;
  readonly state: 'works' | 'expired' | 'revoked';
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt?: string;
  readonly usedAt?: string;
  readonly revokedAt?: string;
}

export interface KeysAnswer {
  readonly mode: 'none' | 'keys' | 'oauth' | 'both';
  readonly asksForKeys: boolean;
  /** MCP_AUTH_TOKEN is one more key. */
  readonly token: boolean;
  readonly keys: readonly ShownKey[];
  readonly olderRevoked?: number;
}

/** An OAuth client as /api/v1/clients shows it. */
export interface ShownClient {
  readonly id: string;
  readonly name: string;
  readonly redirects: readonly string[];
  readonly since?: string;
  readonly usedAt?: string;
  readonly grants: readonly { readonly scopes: readonly string[]; readonly expires?: string }[];
}

export interface ClientsAnswer {
  readonly builtin: boolean;
  readonly clients: readonly ShownClient[];
  readonly withoutAccess?: number;
}
