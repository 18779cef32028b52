/** What was wrong with the thing itself, before any rule looked at what it says. */
export interface ReadProblem {
  readonly path: string;
  readonly message: string;
}
