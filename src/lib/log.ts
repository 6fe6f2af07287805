/** One line a call: JSON in production, plain words on a terminal. Never given bodies, queries or keys. */
export interface Log {
  info(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields & { error?: unknown }): void
}

export type LogFields = Readonly<Record<string, unknown>>

/** A log that writes to `write`, for people when `readable`, else a JSON object a line. */
export function createLog(write: (line: string) => void, readable: boolean): Log {
  const line = readable ? readableLine : jsonLine
  return {
    info: (message, fields = {}) => write(line('info', message, fields)),
    error: (message, { error, ...fields } = {}) => write(line('error', message, { ...fields, ...describe(error) })),
  }
}

function jsonLine(level: string, message: string, fields: LogFields): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`
}

function readableLine(level: string, message: string, fields: LogFields): string {
  const details = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${new Date().toISOString().slice(11, 23)} ${level === 'error' ? 'ERROR ' : ''}${[message, ...details].join('  ')}\n`
}

function describe(error: unknown): LogFields {
  if (error === undefined) return {}
  return error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error) }
}

/**
 * Collects lines and writes them together, ten times a second: a system call for every request would cost more than
 * many requests do. `flush` writes what is left; call it before the process ends.
 */
export function bufferedWriter(write: (text: string) => void): { write(line: string): void; flush(): void } {
  let lines: string[] = []
  let timer: Timer | null = null
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    write(text)
  }
  return {
    write(line) {
      lines.push(line)
      timer ??= setTimeout(flush, 100)
    },
    flush,
  }
}
