/** The page to sign in at, which leads back to where one is. */
import { urlOf } from '../../../src/server/client.ts';

export const signInAddress = (): string => urlOf('/sign-in', {}, { next: location.pathname + location.search });
