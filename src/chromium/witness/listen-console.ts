/** Turns the console calls, uncaught exceptions and browser log messages of one session into log entries. */
import type { Protocol } from '../cdp/protocol.ts';
import type { Session } from '../cdp/session.ts';
import { cut } from './logs.ts';
import type { Surroundings } from './surroundings.ts';

export function listenConsole(session: Session, targetId: string, around: Surroundings): void {
  const add = (type: string, text: string, uncaught = false): void =>
    around.console.add({ targetId, at: around.now(), marker: around.marker(), type, uncaught, text: cut(text) });

  session.on('Runtime.consoleAPICalled', ({ type, args }) => add(type, args.map(textOf).join(' ')));
  session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
    add('error', exceptionDetails.exception?.description ?? exceptionDetails.text, true);
  });
  session.on('Log.entryAdded', ({ entry }) => add(entry.level, entry.text));
}

function textOf(argument: Protocol.Runtime.RemoteObject): string {
  if (argument.value !== undefined)
    return typeof argument.value === 'string' ? argument.value : JSON.stringify(argument.value);
  return argument.unserializableValue ?? argument.description ?? argument.type;
}
