import { normalized } from '../kernel/normalized.ts';

/**
 * The metadata clients register or publish, made to fit. Clients write it for many authorization servers, so we drop
 * what we do not offer instead of refusing it (RFC 7591, section 2).
 */
export interface ClientMetadata {
  [key: string]: unknown;
  client_id?: string;
  client_name?: string;
  application_type?: string;
  redirect_uris?: string[];
  grant_types?: string[];
  response_types?: string[];
  token_endpoint_auth_method?: string;
}

const GRANTS = ['authorization_code', 'refresh_token'];
const LONGEST_NAME = 100;

/** Changes the metadata in place, as the provider's validator requires. */
export function fitMetadata(metadata: ClientMetadata): void {
  for (const [key, value] of Object.entries(metadata)) if (value === '' || value === null) delete metadata[key];
  if (Array.isArray(metadata.grant_types)) {
    const offered = metadata.grant_types.filter((grant) => GRANTS.includes(grant));
    // Without a refresh token the owner would have to sign in every hour.
    metadata.grant_types = [...new Set([...offered, ...GRANTS])];
  }
  metadata.response_types = ['code'];
  // Only "native" lets the port of a loopback address vary, limits plain http to loopback, and always asks the owner.
  // All of that fits clients that anyone may register.
  metadata.application_type = 'native';
  // A registered scope would be a limit. The owner decides each time what a client may do.
  delete metadata.scope;
  delete metadata.id_token_signed_response_alg;
  delete metadata.default_max_age;
  delete metadata.require_auth_time;
  delete metadata.default_acr_values;
  if (typeof metadata.client_name === 'string') metadata.client_name = shownName(metadata.client_name);
  // A client that publishes its document cannot keep a shared secret, but registration defaults to one.
  const published = metadata.client_id?.startsWith('https://') ?? false;
  if (published && metadata.token_endpoint_auth_method === 'client_secret_basic')
    metadata.token_endpoint_auth_method = 'none';
}

/** The name as the owner sees it, without characters that could disguise it or hide the rest of the page. */
export function shownName(name: string): string {
  const plain = normalized(name, 'NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain || 'A program without a name';
}
