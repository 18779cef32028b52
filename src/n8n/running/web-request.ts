/** A request to a webhook, form or chat of n8n. */
export interface WebRequest {
  readonly method: string;
  /** For example `/webhook/orders`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text is sent as it is, a form as multipart, anything else as JSON. */
  readonly body?: unknown;
}

/** The methods of requests that have no body. */
export const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD']);
