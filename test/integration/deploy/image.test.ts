/**
 * The image, with the sources of this checkout instead of the package that is built from them. test/long/image.test.ts
 * builds all of the Dockerfile.
 */
import { describeImage } from '../../support/image/contract.ts';

describeImage('the image', { sources: true, buildMs: 600_000 });
