import { ParseThread } from './parse-thread.ts'
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
 * So many mails are parsed at a time: one that takes all its time does not keep the next one waiting, and those that are
 * read while a commit is synced share the next one (0.3 commits a mail under load; with two threads 0.5).
 */
const MAX_THREADS = 4
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
  const idle = new Map<ParseThread, Timer>()
  const waiting: (() => void)[] = []
  let running = 0

  async function parse(raw: Uint8Array): Promise<ParseResult> {
    if (raw.byteLength > limits.size) return tooLarge(limits.size)
    if (running < MAX_THREADS) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    const thread = take()
    try {
      return await thread.parse(raw, limits.time)
    } finally {
      if (thread.isAlive) keep(thread)
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  function take(): ParseThread {
    for (const [thread, timer] of idle) {
      clearTimeout(timer)
      idle.delete(thread)
      if (thread.isAlive) return thread
    }
    return new ParseThread()
  }

  function keep(thread: ParseThread): void {
    const timer = setTimeout(() => {
      idle.delete(thread)
      thread.end()
    }, IDLE)
    timer.unref()
    idle.set(thread, timer)
  }

  function close(): void {
    for (const [thread, timer] of idle) {
      clearTimeout(timer)
      thread.end()
    }
    idle.clear()
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
