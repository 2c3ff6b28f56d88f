/** The name under which a grade is kept. Two graders of one kind in a case need two names. */
import * as z from 'zod';

export const graderNameSchema = z
  .string()
  .max(100)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be lower-case letters, digits, ".", "_" and "-"');
