import type { Live } from './live.ts'
import type { Session } from './session.ts'

/** How long is waited before an identity is shown again that nobody took, in milliseconds. */
const RETRY = 10_000

/**
 * Who the site says that its visitor is: shown to the service once, and forgotten when the site says so, with what they
 * wrote and did not send (`discard`).
 */
export function identification(session: Session, live: Live, discard: () => void) {
  let latest: string | null = null

  /** `isSaid`: the site said so, and did not only leave it open. */
  async function identify(identity: string | null, isSaid: boolean): Promise<void> {
    latest = identity
    const { memory } = session.remembered
    if (identity === null) {
      if (isSaid && memory.identity !== null) leave()
      return
    }
    const whose = subjectOf(identity)
    if (memory.identity === whose && memory.token !== null) return
    if (memory.identity !== null) leave()
    const { kind } = await session.introduce({ identity })
    if (latest !== identity) return
    if (kind === 'unreachable') {
      setTimeout(() => latest === identity && void identify(identity, isSaid), RETRY)
      return
    }
    if (kind !== 'ok') {
      // biome-ignore lint/suspicious/noConsole: whoever writes the site is to see it, and nobody else
      console.warn('frontdesk: the identity was not accepted')
      return
    }
    Object.assign(session.remembered.memory, { identity: whose, email: whose })
    session.remembered.store()
    live.start()
  }

  function leave(): void {
    live.stop()
    discard()
    session.forget()
  }

  return identify
}

/** Whose address the token names; nothing is proved by reading it here. */
function subjectOf(identity: string): string {
  try {
    const [, payload = ''] = identity.split('.')
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
    return String(JSON.parse(new TextDecoder().decode(bytes)).email)
  } catch {
    return identity
  }
}
