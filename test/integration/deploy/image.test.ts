/**
 * The image, with the sources of this checkout instead of the package that is built from them. test/long/image.test.ts
 * builds all of the Dockerfile.
 */
import { describe } from 'vitest';
import { imageContract, imageIsMissing } from '../../support/image/contract.ts';

describe.skipIf(imageIsMissing)('the image', () => {
  imageContract({ sources: true, buildMs: 600_000 });
});
