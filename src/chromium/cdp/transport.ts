/** What carries CDP frames: a pipe to a browser that we started, or a WebSocket to one that we did not. */

/** A frame is the bytes of one JSON message. Bytes, because the gate passes most of them on without reading them. */
export interface Transport {
  send(text: string): void;
  close(): void;
  /** Set once by the connection, before the first frame can arrive. */
  onFrame: (frame: Buffer) => void;
  onClose: (reason: string) => void;
}
