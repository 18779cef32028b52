/** A node, and how near its meaning is to that of the question: at most 1. */
export interface Near {
  readonly name: string;
  readonly likeness: number;
}

/** Between the gateway and the thread that compares meanings. */
export type MeaningRequest =
  | {
      readonly id: number;
      readonly do: 'prepare';
      readonly file: string;
      /** Where vectors are kept. */
      readonly vectors: string;
      /** Whether those that are missing are made. */
      readonly make: boolean;
    }
  | { readonly id: number; readonly do: 'near'; readonly file: string; readonly text: string };

export type MeaningReply =
  | { readonly id: number; readonly ok: true; readonly near?: readonly Near[] }
  | { readonly id: number; readonly ok: false; readonly reason: string }
  /** Not the end: so many of the vectors are there. */
  | { readonly id: number; readonly ok: 'soon'; readonly done: number; readonly of: number };
