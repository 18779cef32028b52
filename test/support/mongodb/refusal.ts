/** An error that the server answers with: https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml */
export class Refusal extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly more: object;

  constructor(code: number, codeName: string, message: string, more: object) {
    super(message);
    this.code = code;
    this.codeName = codeName;
    this.more = more;
  }
}

export const refusal = (code: number, codeName: string, message: string, more: object = {}): Refusal =>
  new Refusal(code, codeName, message, more);
