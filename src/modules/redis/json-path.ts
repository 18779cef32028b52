import { z } from 'zod';

export const jsonPath = z.string().max(500).regex(/^[$.]/, 'is not a JSONPath: it begins with $, such as $.user.name');
