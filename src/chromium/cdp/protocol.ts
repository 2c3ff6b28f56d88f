/** The names and types of the protocol, from `devtools-protocol`. These are types only. */
import type { Protocol as P } from 'devtools-protocol';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';

export type { P as Protocol };
export type Command = keyof ProtocolMapping.Commands;
export type Params<C extends Command> = ProtocolMapping.Commands[C]['paramsType'][0];
export type Result<C extends Command> = ProtocolMapping.Commands[C]['returnType'];
export type EventName = keyof ProtocolMapping.Events;
export type EventParams<E extends EventName> = ProtocolMapping.Events[E][0];
