/** Connects to the server of a profile, and refuses one whose tools do not fit the profile. */
import { connectServer } from '../connect/connect-server.ts';
import type { ServerSpec } from '../connect/server-spec.ts';
import type { ToolClient } from '../connect/tool-client.ts';
import { checkTools } from './check-tools.ts';
import type { ServerProfile } from './profile.ts';

export async function connectProfile(
  profile: ServerProfile,
  spec: ServerSpec,
  signal: AbortSignal | undefined,
): Promise<ToolClient> {
  const client = await connectServer(spec, { signal, errorKind: profile.errorKind });
  try {
    checkTools(profile, client);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
