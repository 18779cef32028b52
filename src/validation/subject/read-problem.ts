/** A problem with the input itself, found before any rule runs. */
export interface ReadProblem {
  readonly path: string;
  readonly message: string;
}
