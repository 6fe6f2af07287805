import type { Visit } from '../../visit.ts'

/** Who else is at a ticket, and who writes there, in a sentence or two; '' for nobody. */
export function sayPresence({ deps, principal, wording }: Visit, ticketId: string): string {
  const { say, locale } = wording
  const others = deps.presence.othersAt(principal.tenantId, ticketId, principal.userId)
  const [writing, looking] = [true, false].map((isWriting) => {
    const names = others.filter((other) => other.isWriting === isWriting).map(({ name }) => name)
    return { count: names.length, names: new Intl.ListFormat(locale).format(names) }
  }) as [Named, Named]
  return [
    writing.count > 0 && say(writing.count === 1 ? 'otherWrites' : 'othersWrite', writing),
    looking.count > 0 && say(looking.count === 1 ? 'otherLooks' : 'othersLook', looking),
  ]
    .filter(Boolean)
    .join(' ')
}

interface Named {
  readonly count: number
  readonly names: string
}
