/** How a server is reached. */
export type Transport =
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | {
      kind: 'http' | 'sse';
      /** The only URL, or the first of several. */
      url: string;
      /** Two or more URLs that serve the same. */
      urls?: string[];
      headers: Record<string, string>;
    };
