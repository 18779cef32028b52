import { type Explain, GOES_ON, isFull, isLacking, lastWords } from '../../host/npm.ts';
import { AppError } from '../../kernel/errors.ts';

/** What only n8n's installation needs. */
export const npmProblemOfN8n: Explain = (code, words) => {
  if (isFull(code, words)) {
    return new AppError('unavailable', `The disk is full. Free some space (n8n needs about 3 GB). ${GOES_ON}`);
  }
  if (isLacking(code)) {
    return new AppError(
      'not_found',
      `npm's registry lacks something this version of n8n needs: ${lastWords(words)}. Choose another version.`,
    );
  }
  if (/gyp ERR!/.test(words)) {
    return new AppError(
      'unavailable',
      `Part of n8n (sqlite3) could not be compiled: ${lastWords(words)}. It needs Python 3, make and a C++ compiler (Debian: apt-get install python3 make g++; macOS: xcode-select --install). ${GOES_ON}`,
    );
  }
  return undefined;
};
