import { type ParseJob, ParseThread } from './parse-thread.ts'
import type { ParseResult } from './parsed-mail.ts'

/** What one mail may be and take (decisions §13). */
export interface ParseLimits {
  /** Milliseconds of work. */
  time: number
  /** Bytes of the raw mail: 25 MiB of files as base64, and as much text as a message may be. */
  size: number
}

const MIB = 1024 * 1024
const LIMITS: ParseLimits = { time: 1000, size: 36 * MIB }
/**
 * So many threads: one mail that takes all its time does not keep the next one waiting. While none does, one thread
 * reads them all: each costs memory, and has to compile the same code again.
 */
const MAX_THREADS = 4
/** What a thread may have to parse besides a mail of any size. */
const MAX_LOAD = { mails: 16, bytes: 1024 * 1024 }
/** Milliseconds after which the memory of an idle thread is given back. */
const IDLE = 60_000

/** Parses mails in threads of its own. */
export interface MailParser {
  parse(raw: Uint8Array): Promise<ParseResult>
  /** Ends idle threads. */
  close(): void
}

/** For tests, which set other limits; the service has `parseMail`. */
export function createMailParser(limits: ParseLimits = LIMITS): MailParser {
  const threads = new Map<ParseThread, Timer | null>()
  const waiting: ParseJob[] = []

  async function parse(raw: Uint8Array): Promise<ParseResult> {
    if (raw.byteLength > limits.size) return tooLarge(limits.size)
    return new Promise((resolve, reject) => {
      waiting.push({ raw, time: limits.time, resolve, reject })
      assign()
    })
  }

  function assign(): void {
    for (let job = waiting[0]; job; job = waiting[0]) {
      const thread = threadFor(job)
      if (!thread) return
      waiting.shift()
      const timer = threads.get(thread)
      if (timer) clearTimeout(timer)
      threads.set(thread, null)
      thread.parse(job)
    }
  }

  /** The first that keeps no mail waiting, so that the others can end; null while all have enough to do. */
  function threadFor({ raw }: ParseJob): ParseThread | null {
    const free = [...threads.keys()].find((thread) => {
      const { mails, bytes } = thread.load
      return mails === 0 || (!thread.isHeldUp && mails < MAX_LOAD.mails && bytes + raw.length <= MAX_LOAD.bytes)
    })
    return free ?? (threads.size < MAX_THREADS ? start() : null)
  }

  function start(): ParseThread {
    const thread: ParseThread = new ParseThread({
      onHeldUp(behind) {
        waiting.unshift(...behind)
        assign()
      },
      onDone(left) {
        waiting.unshift(...left)
        if (!thread.isAlive) threads.delete(thread)
        else if (thread.load.mails === 0) threads.set(thread, endLater(thread))
        assign()
      },
    })
    threads.set(thread, null)
    return thread
  }

  function endLater(thread: ParseThread): Timer {
    const timer = setTimeout(() => {
      threads.delete(thread)
      thread.end()
    }, IDLE)
    timer.unref()
    return timer
  }

  function close(): void {
    for (const [thread, timer] of threads) {
      if (!timer) continue
      clearTimeout(timer)
      thread.end()
      threads.delete(thread)
    }
  }

  return { parse, close }
}

function tooLarge(size: number): ParseResult {
  return { unreadable: `is larger than ${size / MIB} MiB`, from: null, subject: null, mailId: null }
}

const parser = createMailParser()

/**
 * Reads a mail off the serving thread, in at most a second of work. What cannot be read, or not within the bounds of
 * decisions §13, is unreadable, with its reason for the quarantine. For whoever takes in mail. Throws only when threads
 * cannot be started.
 */
export const parseMail = (raw: Uint8Array): Promise<ParseResult> => parser.parse(raw)
