import type { MailboxProblem } from '../../../kinds/mailboxes.ts'
import { MailboxError } from './problems.ts'

/** What imapflow and nodemailer say of a failure, as far as it matters here. */
interface ConnectionFault {
  code?: unknown
  message?: unknown
  cause?: unknown
  /** imapflow. */
  authenticationFailed?: boolean
  tlsFailed?: boolean
  responseText?: unknown
  serverResponseCode?: unknown
  /** nodemailer: the server's answer; imapflow: its text. */
  response?: unknown
  responseCode?: unknown
}

/** Codes by which an IMAP server says that it cannot tell now whether the password is right (RFC 5530). */
const FOR_NOW = ['UNAVAILABLE', 'LIMIT', 'INUSE', 'SERVERBUG', 'CONTACTADMIN', 'THROTTLED']

/** The first pattern that fits names the problem. Looked for in a code, then in the words: nodemailer has one code for all. */
const PROBLEMS: readonly [RegExp, MailboxProblem][] = [
  [/\b(ENOTFOUND|EAI_\w+|EDNS|DNSException|getaddrinfo)\b/, 'host_unknown'],
  [/\bECONNREFUSED\b/, 'refused'],
  [
    /\b(ETLS|EPROTO|STARTTLS_INJECTION|UPGRADE_TIMEOUT|UNABLE_TO_\w+|ERR_(SSL|TLS)\w*|\w*CERT\w*|\w*HOSTNAME\w*)\b|certificate|SSL routines|TLS handshake/i,
    'tls',
  ],
  [
    /\b(ETIMEDOUT|ETIMEOUT|E(HOST|NET)\w+|CONNECT_TIMEOUT|GREETING_TIMEOUT)\b|timed? ?out|Greeting never received/i,
    'unreachable',
  ],
  [
    /\b(NoConnection|EConnectionClosed|ECONNRESET|EPIPE|StateLogout|ECONNECTION|ClosedAfterConnect\w+)\b|closed/,
    'lost',
  ],
]

/** Turns what imapflow or nodemailer threw into a MailboxError; the cause is kept for the log. */
export function explainFault(cause: unknown): MailboxError {
  if (cause instanceof MailboxError) return cause
  const fault = (cause ?? {}) as ConnectionFault
  const said = [fault.responseText, fault.response].find((text) => typeof text === 'string') as string | undefined
  const fail = (problem: MailboxProblem, detail = said ?? null) => new MailboxError(problem, detail, { cause })
  if (isSignIn(fault)) return fail('sign_in')
  if (fault.tlsFailed) return fail('tls', String(fault.message))
  const clues = [fault.code, (fault.cause as ConnectionFault | undefined)?.code, fault.message]
  for (const clue of clues) {
    const problem = PROBLEMS.find(([pattern]) => pattern.test(String(clue ?? '')))?.[1]
    if (problem) return fail(problem, said ?? (problem === 'tls' ? String(fault.message) : null))
  }
  return fail('trouble')
}

function isSignIn({ authenticationFailed, serverResponseCode, code, responseCode }: ConnectionFault): boolean {
  if (authenticationFailed) return !FOR_NOW.includes(String(serverResponseCode))
  const isRefused = typeof responseCode !== 'number' || responseCode >= 500
  return ['EAUTH', 'ENOAUTH', 'EOAUTH2'].includes(String(code)) && isRefused
}
