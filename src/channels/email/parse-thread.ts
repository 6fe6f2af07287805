import type { WorkerReport } from './parse-worker.ts'
import type { ParseResult } from './parsed-mail.ts'
import type { MailHead } from './parsing/read-mail.ts'

/** The worker is an entry point of the executable, too (`bun run build`), where this module lies in `main.ts`'s place. */
const WORKER = import.meta.url.includes('/$bunfs/') ? './channels/email/parse-worker.ts' : './parse-worker.ts'

/** How many times its time a mail may take while the machine is busy with other things. */
const PATIENCE = 10
/** Milliseconds in which a thread has to start. */
const START = 30_000

/** A thread that parses one mail at a time. It is gone for good once it took too long. */
export class ParseThread {
  readonly #worker = new Worker(new URL(WORKER, import.meta.url).href, { ref: false, smol: true })
  readonly #started = this.#start()
  /** False once it has been ended. */
  isAlive = true

  /**
   * Parses a mail in at most `time` milliseconds: of the clock, and of work of the process, so that a busy machine
   * refuses no mail. Throws when the thread could not be started.
   */
  async parse(raw: Uint8Array, time: number): Promise<ParseResult> {
    await this.#started
    let head: MailHead = { from: null, subject: null, mailId: null }
    return new Promise((resolve) => {
      const conclude = (result: ParseResult) => {
        stop()
        resolve(result)
      }
      const giveUp = (unreadable: string) => {
        this.end()
        conclude({ unreadable, ...head })
      }
      const stop = afterWork(time, () => giveUp(`takes longer than ${time} ms to read`))
      this.#worker.onmessage = ({ data }: MessageEvent<WorkerReport>) => {
        if ('head' in data) head = data.head
        else if ('result' in data) conclude(data.result)
        else if ('failure' in data) conclude({ unreadable: `cannot be read: ${data.failure}`, ...head })
      }
      this.#worker.onerror = ({ message }) => giveUp(`cannot be read: ${message}`)
      // Handed over, not copied twice more on the way.
      const copy = new Uint8Array(raw)
      this.#worker.postMessage(copy, [copy.buffer])
    })
  }

  /** Stops it, whatever it is doing, and gives its memory back. */
  end(): void {
    this.isAlive = false
    this.#worker.terminate()
  }

  async #start(): Promise<void> {
    const worker = this.#worker
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => reject(new Error('the thread that parses mail did not start')), START)
    worker.onmessage = () => resolve()
    worker.onerror = ({ message }) => reject(new Error(`the thread that parses mail did not start: ${message}`))
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Calls back once the process has worked for `time` milliseconds, or far more have passed. Returns what stops it. */
function afterWork(time: number, callBack: () => void): () => void {
  const begin = performance.now()
  const before = process.cpuUsage()
  const check = () => {
    const passed = performance.now() - begin
    const { user, system } = process.cpuUsage(before)
    const spent = Math.min(passed, (user + system) / 1000)
    if (spent >= time || passed >= time * PATIENCE) callBack()
    else timer = setTimeout(check, Math.max(time - spent, 5))
  }
  let timer = setTimeout(check, time)
  return () => clearTimeout(timer)
}
