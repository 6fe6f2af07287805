import { countWork } from '../../lib/concurrency/work-time.ts'
import type { WorkerReport } from './parse-worker.ts'
import type { ParseResult } from './parsed-mail.ts'
import type { MailHead } from './parsing/read-mail.ts'

/** The worker is an entry point of the executable, too (`bun run build`), where this module lies in `main.ts`'s place. */
const WORKER = import.meta.url.includes('/$bunfs/') ? './channels/email/parse-worker.ts' : './parse-worker.ts'

/** Milliseconds in which a thread has to start. */
const START = 30_000
/** Milliseconds that a mail may take before its work is counted and those behind it go elsewhere: most take less than one. */
const PATIENCE = 20

/** A mail to be parsed. */
export interface ParseJob {
  readonly raw: Uint8Array
  /** What it may take, in milliseconds of work. */
  readonly time: number
  resolve(result: ParseResult): void
  reject(error: unknown): void
}

/** What a thread says of itself. */
export interface ParseThreadEvents {
  /** The first mail takes long: these have waited behind it, and the thread does not have them any more. */
  onHeldUp(behind: ParseJob[]): void
  /** One is done. A thread that is gone has not done `left`. */
  onDone(left: ParseJob[]): void
}

interface Posted {
  /** Null: it went elsewhere, and is not waited for any more. */
  job: ParseJob | null
  head: MailHead
}

const UNKNOWN: MailHead = { from: null, subject: null, mailId: null }

/**
 * A thread that parses mails one after the other. Several may be on their way to it: it does not wait for the serving
 * thread between them, and their results come together. It is gone for good once one took too long.
 */
export class ParseThread {
  readonly #worker = new Worker(new URL(WORKER, import.meta.url).href, { ref: false, smol: true })
  /** In the order in which they are parsed. */
  readonly #posted: Posted[] = []
  #timer: Timer | null = null
  #isStarted = false
  /** False once it has been ended. */
  isAlive = true
  /** Whether the mail it is at takes long. */
  isHeldUp = false

  constructor(private readonly events: ParseThreadEvents) {
    this.#worker.onmessage = ({ data }: MessageEvent<WorkerReport>) => this.#hear(data)
    this.#worker.onerror = ({ message }) => this.#fail(message)
    this.#timer = setTimeout(() => this.#fail('it took too long'), START)
  }

  /** Mails that it has to parse, and their bytes. */
  get load(): { mails: number; bytes: number } {
    return {
      mails: this.#posted.length,
      bytes: this.#posted.reduce((sum, { job }) => sum + (job?.raw.length ?? 0), 0),
    }
  }

  /** Has a mail parsed. It is rejected when the thread could not be started. */
  parse(job: ParseJob): void {
    this.#posted.push({ job, head: UNKNOWN })
    // Handed over, not copied twice more on the way.
    const copy = new Uint8Array(job.raw)
    this.#worker.postMessage(copy, [copy.buffer])
    if (this.#isStarted && this.#posted.length === 1) this.#watch()
  }

  /** Stops it, whatever it is doing, and gives its memory back. */
  end(): void {
    this.isAlive = false
    if (this.#timer) clearTimeout(this.#timer)
    this.#worker.terminate()
  }

  #hear(report: WorkerReport): void {
    if (!this.isAlive) return
    const [first] = this.#posted
    if ('ready' in report) {
      this.#isStarted = true
      this.#watch()
    } else if ('head' in report) {
      if (first) first.head = report.head
    } else if ('result' in report) this.#conclude(report.result)
    else this.#conclude({ unreadable: `cannot be read: ${report.failure}`, ...(first?.head ?? UNKNOWN) })
  }

  #conclude(result: ParseResult): void {
    this.#posted.shift()?.job?.resolve(result)
    this.#watch()
    this.events.onDone([])
  }

  #fail(message: string): void {
    if (this.#isStarted) {
      this.#giveUp(`cannot be read: ${message}`)
      return
    }
    this.end()
    const error = new Error(`the thread that parses mail did not start: ${message}`)
    for (const { job } of this.#posted.splice(0)) job?.reject(error)
    this.events.onDone([])
  }

  #giveUp(unreadable: string): void {
    this.end()
    const [first, ...behind] = this.#posted.splice(0)
    first?.job?.resolve({ unreadable, ...first.head })
    this.events.onDone(jobsOf(behind))
  }

  /** Watches over the mail that is the first now. */
  #watch(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.isHeldUp = false
    const [first] = this.#posted
    if (!first) return
    const time = first.job?.time ?? PATIENCE
    let left: (() => number) | null = null
    // What it has said meanwhile is heard first.
    const look = () => void setImmediate(() => this.isAlive && this.#posted[0] === first && check())
    const check = () => {
      if (left === null) this.#passOn()
      // Not before: most mails take less time than it takes to count it.
      left ??= countWork(time)
      const remaining = left()
      if (remaining <= 0) this.#giveUp(`takes longer than ${time} ms to read`)
      else this.#timer = setTimeout(look, Math.max(remaining, 5))
    }
    this.#timer = setTimeout(look, Math.min(PATIENCE, time))
  }

  /** Lets go of the mails behind the first. The worker has got them already, and parses them in vain. */
  #passOn(): void {
    this.isHeldUp = true
    const behind = jobsOf(this.#posted.slice(1))
    for (const posted of this.#posted.slice(1)) posted.job = null
    if (behind.length > 0) this.events.onHeldUp(behind)
  }
}

function jobsOf(posted: Posted[]): ParseJob[] {
  return posted.flatMap(({ job }) => job ?? [])
}
