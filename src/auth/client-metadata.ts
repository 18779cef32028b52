/**
 * What clients say of themselves when they register or publish a metadata document, made to fit: they are written for
 * many authorization servers, and what this one does not offer is left out instead of refused (RFC 7591, 2).
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

/** Changes it in place, as the provider's validator must. */
export function fitMetadata(metadata: ClientMetadata): void {
  for (const [key, value] of Object.entries(metadata)) if (value === '' || value === null) delete metadata[key];
  if (Array.isArray(metadata.grant_types)) {
    const offered = metadata.grant_types.filter((grant) => GRANTS.includes(grant));
    // Without a refresh token the owner would have to sign in every hour.
    metadata.grant_types = [...new Set([...offered, ...GRANTS])];
  }
  metadata.response_types = ['code'];
  // "native" alone lets the port of a loopback address vary, has plain http for loopback only, and always asks the
  // owner: all of that is right for clients that anybody may register.
  metadata.application_type = 'native';
  // A registered scope would be a limit; what a client may do is decided by the owner, each time.
  delete metadata.scope;
  delete metadata.id_token_signed_response_alg;
  delete metadata.default_max_age;
  delete metadata.require_auth_time;
  delete metadata.default_acr_values;
  if (typeof metadata.client_name === 'string') metadata.client_name = shownName(metadata.client_name);
  // Who publishes a document can keep no shared secret; the default of registration is one.
  const published = metadata.client_id?.startsWith('https://') ?? false;
  if (published && metadata.token_endpoint_auth_method === 'client_secret_basic')
    metadata.token_endpoint_auth_method = 'none';
}

/** A name is shown to the owner: without what could make it look like something else, or hide the rest of the page. */
export function shownName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain || 'A program without a name';
}
