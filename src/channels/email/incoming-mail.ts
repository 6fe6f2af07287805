/** A mail on its way to one inbox: one that goes to two of them comes twice. */
export interface IncomingMail {
  raw: Uint8Array
  /** Milliseconds since 1970. */
  at: number
  inbox: { tenantId: string; id: string }
  /**
   * As the server that brought it said: an empty or no sender is the empty return path, recipients are those of this
   * inbox, as they were addressed. Null where nobody said.
   */
  envelope: { from: string | null; recipients: readonly string[] } | null
  /** That server, where it is known. */
  connection: { address: string; hello: string } | null
}
