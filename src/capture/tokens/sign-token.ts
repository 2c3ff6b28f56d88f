/** Signs a pack: compact JWS, HMAC-SHA-256. */
import { SignJWT } from 'jose';
import { TOKEN_ALGORITHM, TOKEN_TYPE, type TokenClaims } from './claims.ts';
import type { TokenKey } from './token-keys.ts';

export function signToken(claims: TokenClaims, key: TokenKey): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid: key.kid })
    .sign(key.secret);
}
