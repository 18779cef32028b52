import { AppError } from '../kernel/errors.ts';

/** What stands for us at a backend and can change while a connection lasts: the tokens of a login. */
export interface Credentials {
  /** The headers to send; a promise only where they have to be fetched first. */
  headers(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /**
   * The server refused what was sent with these headers. `retry` when there are better ones now, an error that says
   * what to do, or undefined when this is not about us.
   */
  refused(
    status: number,
    challenge: string | undefined,
    sent: Readonly<Record<string, string>>,
  ): Promise<'retry' | AppError | undefined>;
}

/** How a backend is signed in to, as its owner configured it. */
export interface OAuthSettings {
  clientId?: string;
  clientSecret?: string;
  scopes?: string[];
  /** `client_credentials` needs no person. */
  grant: 'authorization_code' | 'client_credentials';
  /** Which of several authorization servers, and the only one a configured client is shown to. */
  issuer?: string;
  /** The port on this machine to which `sluice login` is sent back; any free one unless told. */
  callbackPort?: number;
  /** Where a document of ours describes us to authorization servers that read such. */
  clientMetadataUrl?: string;
}

/** The server wants somebody to sign in first. Whoever knows the caller says how in other words: the cause has none. */
export function loginNeeded(what: string, how: string): AppError {
  return new AppError('unauthenticated', `${what} ${how}`, {
    cause: new AppError('unauthenticated', what),
    data: { needsLogin: true, notExecuted: false },
  });
}

export function needsLogin(error: { data?: Record<string, unknown> | undefined }): boolean {
  return error.data?.needsLogin === true;
}
