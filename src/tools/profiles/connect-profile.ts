/** Connects to the server of a profile, and refuses one whose tools do not fit the profile. */
import { type ConnectOptions, connectServer } from '../connect/connect-server.ts';
import type { ServerSpec } from '../connect/server-spec.ts';
import type { ToolClient } from '../connect/tool-client.ts';
import { checkTools } from './check-tools.ts';
import type { ServerProfile } from './profile.ts';

export async function connectProfile(
  profile: ServerProfile,
  spec: ServerSpec,
  options: Pick<ConnectOptions, 'signal' | 'onSlowStart'>,
): Promise<ToolClient> {
  const { errorKind, startMs } = profile;
  const client = await connectServer(spec, { ...options, errorKind, startMs });
  try {
    checkTools(profile, client);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
