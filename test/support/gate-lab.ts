/** What the tests of the CDP gate share: a slot with a gate into it and a raw client of that gate, beside another slot of the same browser. */
import { Gate, type GateOptions, type Slot } from '../../src/chromium/index.ts';
import { type Lab, openLab, show } from './lab.ts';
import { RawClient, type RawMessage } from './raw-client.ts';

export interface Info {
  targetId: string;
  type: string;
  url: string;
  browserContextId: string;
}

export function openGateLab(): Promise<Lab> {
  return openLab({ slots: 4, extraFlags: ['--site-per-process'] });
}

export function optionsFor(slot: Slot): GateOptions {
  const { connection, identity } = slot.host.browser;
  return { connection, contextId: slot.contextId, contexts: slot, product: identity.product };
}

/** A slot at /small, a gate into it, and a client of that gate. */
export async function behindGate(lab: Lab, more: Partial<GateOptions> = {}) {
  const slot = await lab.slot();
  await show(slot, `${lab.server.origin}/small`);
  const gate = await Gate.open({ ...optionsFor(slot), ...more });
  const client = await RawClient.connect(gate.wsAddress);
  return {
    slot,
    gate,
    client,
    pageId: slot.firstPage.targetId,
    attach: () => client.attach(slot.firstPage.targetId),
    async [Symbol.asyncDispose](): Promise<void> {
      await client[Symbol.asyncDispose]();
      await gate.close();
      await slot.release();
    },
  };
}

/** Another slot in the same browser. */
export async function otherSlot(lab: Lab, path = '/form'): Promise<Slot> {
  const slot = await lab.slot();
  await show(slot, lab.server.origin + path);
  return slot;
}

export function infoOf({ params = {} }: RawMessage): Info {
  return params['targetInfo'] as Info;
}

export async function targetsOf(client: RawClient, sessionId?: string): Promise<Info[]> {
  return (await client.send('Target.getTargets', { filter: [{}] }, sessionId))['targetInfos'] as Info[];
}

export const NO_TARGET = { code: -32602, message: 'No target with given id found' };
export const NO_CONTEXT = { code: -32602, message: 'Failed to find browser context with given id' };
export const confined = (method: string) => ({
  code: -32601,
  message: `'${method}' is not available: this connection is confined to the contexts of one episode`,
});
