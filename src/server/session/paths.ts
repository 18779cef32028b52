export const SESSION_PATH = '/api/v1/session';
/** Leads to the authorization server of the configuration. */
export const LEAVE_PATH = '/api/v1/sign-in';
/** Where that server sends the browser back to. It has to be registered there. */
export const RETURN_PATH = '/api/v1/signed-in';
