/** What an answer says went wrong, or why there is none. */
export class FrontdeskError extends Error {
  override readonly name = 'FrontdeskError'
  /**
   * Stable, to branch on: the `error` of the answer. Where an answer has no such word: `unauthorized` (401),
   * `too_many_requests` (429), `unexpected_answer`. Without an answer: `connection_lost`. Of `verify`: `invalid_signature`.
   */
  readonly code: string
  /** Of the answer; 0 where none came. */
  readonly status: number
  /** To be quoted when asking for help; null where no answer came. */
  readonly requestId: string | null
  /** The place in the request that broke a rule, such as `questions[0].options`; null where none is named. */
  readonly param: string | null
  /** All that the answer says, such as the `contactId` of a conflict; null where it says nothing. */
  readonly body: Readonly<Record<string, unknown>> | null

  constructor(
    message: string,
    {
      code,
      status = 0,
      requestId = null,
      param = null,
      body = null,
      cause,
    }: {
      code: string
      status?: number
      requestId?: string | null
      param?: string | null
      body?: Readonly<Record<string, unknown>> | null
      cause?: unknown
    },
  ) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.param = param
    this.body = body
  }
}

/** Words for answers that have none of their own. */
const wordless: Readonly<Record<number, string>> = { 401: 'unauthorized', 429: 'too_many_requests' }

/** The error that an answer other than a 2xx stands for. `asked` says in a message without words what was answered. */
export async function errorOf(answer: Response, asked: string): Promise<FrontdeskError> {
  const body = recordIn(await answer.text())
  const { status } = answer
  const redirected = status >= 300 && status < 400 ? `, to ${answer.headers.get('location')}: is baseUrl right?` : ''
  return new FrontdeskError(text(body?.message) ?? `${asked} was answered with ${status}${redirected}`, {
    code: text(body?.error) ?? wordless[status] ?? 'unexpected_answer',
    status,
    requestId: answer.headers.get('x-request-id') ?? text(body?.requestId),
    param: text(body?.param),
    body,
  })
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** What is in between may answer with a page. */
function recordIn(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
