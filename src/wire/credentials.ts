import { AppError } from '../kernel/errors.ts';

/** Credentials for a backend that can change during a connection: the tokens of a login. */
export interface Credentials {
  /** The headers to send; a promise only if they must be fetched first. */
  headers(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /**
   * Called when the server refused a request with these headers. Returns `retry` if there are better headers now, an
   * error that says what to do, or undefined if the refusal is not about credentials.
   */
  refused(
    status: number,
    challenge: string | undefined,
    sent: Readonly<Record<string, string>>,
  ): Promise<'retry' | AppError | undefined>;
}

/** How to sign in to a backend, as its owner configured it. */
export interface OAuthSettings {
  clientId?: string;
  clientSecret?: string;
  scopes?: string[];
  /** `client_credentials` needs no user. */
  grant: 'authorization_code' | 'client_credentials';
  /** The authorization server to use if there are several, and the only one that sees a configured client. */
  issuer?: string;
  /** The local port to which `sluice login` is redirected; default any free port. */
  callbackPort?: number;
  /** URL of our client metadata document, for authorization servers that support it. */
  clientMetadataUrl?: string;
}

/** The server requires a login. The cause lacks `how`, so that code that knows the caller can word it differently. */
export function loginNeeded(what: string, how: string): AppError {
  return new AppError('unauthenticated', `${what} ${how}`, {
    cause: new AppError('unauthenticated', what),
    data: { needsLogin: true, notExecuted: false },
  });
}

export function needsLogin(error: { data?: Record<string, unknown> | undefined }): boolean {
  return error.data?.needsLogin === true;
}
