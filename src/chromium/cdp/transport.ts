/** The transport of CDP frames: a pipe to a browser that the harness started, or a WebSocket to another one. */

/** A frame is the bytes of one JSON message. They stay bytes because the gate forwards most frames without parsing them. */
export interface Transport {
  send(text: string): void;
  close(): void;
  /** Set once by the connection, before the first frame can arrive. */
  onFrame: (frame: Buffer) => void;
  onClose: (reason: string) => void;
}
