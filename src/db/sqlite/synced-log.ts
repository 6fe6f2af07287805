import { closeSync, fdatasync, openSync } from 'node:fs'

/**
 * The write-ahead log, and what the disk holds of it. SQLite's own sync at a commit would stop the thread that serves for
 * as long as the disk takes; this one does not. What a checkpoint needs SQLite syncs itself.
 */
export class SyncedLog {
  readonly #descriptor: number
  #waiting: (() => void)[] = []
  #syncing: Promise<void> | null = null

  /** Of a database that is open in WAL mode and stays so until `end`. */
  constructor(file: string) {
    // Windows syncs what is open for writing only.
    this.#descriptor = openSync(`${file}-wal`, 'r+')
  }

  /**
   * Calls `then` once the disk holds all that was committed before, in the order of the calls. A disk that fails here ends
   * the process, as a power cut would: what is committed shows already, and nobody knows whether it stays.
   */
  synced(then: () => void): void {
    this.#waiting.push(then)
    this.#syncing ??= this.#loop()
  }

  /** Resolves when all of that is called. Nothing may come later. */
  async end(): Promise<void> {
    await this.#syncing
    closeSync(this.#descriptor)
  }

  async #loop(): Promise<void> {
    while (this.#waiting.length > 0) {
      const now = this.#waiting.splice(0)
      await this.#sync()
      for (const then of now) then()
    }
    this.#syncing = null
  }

  #sync(): Promise<void> {
    return new Promise((resolve) => {
      fdatasync(this.#descriptor, (error) => {
        if (error) throw error
        resolve()
      })
    })
  }
}
