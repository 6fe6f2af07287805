import { countWork } from './work-time.ts'

/** What a thread reports: that it has loaded, what came of a job, or why nothing did. */
export type Report<Result> = { ready: true } | { result: Result } | { failure: string }

/**
 * Does jobs beside the serving thread, one at a time, so that whatever one holds, other requests go on. The thread is
 * started for the first job and ended when it has had nothing to do for `idle` milliseconds: it takes memory.
 */
export class SideThread<Job, Result> {
  #worker: Worker | null = null
  #last: Promise<unknown> = Promise.resolve()
  #idle: Timer | undefined

  /** `module` is a URL of what `serveJobs` runs in; one job may take `time` milliseconds of work. */
  constructor(
    private readonly module: () => string,
    private readonly limits: { readonly time: number; readonly idle: number },
  ) {}

  /** What came of the job; null where it failed, or took too long. */
  run(job: Job): Promise<Result | null> {
    const turn = this.#last.then(() => this.#run(job))
    this.#last = turn.catch(() => {})
    return turn
  }

  async #run(job: Job): Promise<Result | null> {
    clearTimeout(this.#idle)
    const result = await this.#ask(job)
    this.#idle = setTimeout(() => this.#end(), this.limits.idle)
    this.#idle.unref()
    return result
  }

  async #ask(job: Job): Promise<Result | null> {
    const { promise, resolve } = Promise.withResolvers<Result | null>()
    this.#worker ??= new Worker(this.module(), { ref: false })
    const worker = this.#worker
    const giveUp = () => {
      this.#end()
      resolve(null)
    }
    const left = countWork(this.limits.time)
    let isOver = false
    const check = () => {
      if (isOver) return
      const remaining = left()
      if (remaining <= 0) giveUp()
      else timer = setTimeout(look, Math.max(remaining, 5))
    }
    // What it has said meanwhile is heard first.
    const look = () => void setImmediate(check)
    let timer = setTimeout(look, this.limits.time)
    worker.onmessage = ({ data }: MessageEvent<Report<Result>>) => {
      if ('result' in data) resolve(data.result)
      else if ('failure' in data) resolve(null)
    }
    worker.onerror = giveUp
    worker.postMessage(job)
    return promise.finally(() => {
      isOver = true
      clearTimeout(timer)
    })
  }

  #end(): void {
    this.#worker?.terminate()
    this.#worker = null
  }
}

declare const self: Worker

/** What such a thread does all its life: `work` is done for each job that comes. For the module that it runs. */
export function serveJobs<Job, Result>(work: (job: Job) => Result): void {
  self.onmessage = ({ data }: MessageEvent<Job>) => {
    let report: Report<Result>
    try {
      report = { result: work(data) }
    } catch (error) {
      report = { failure: error instanceof Error ? error.message : String(error) }
    }
    self.postMessage(report)
  }
  self.postMessage({ ready: true } satisfies Report<Result>)
}
