import { identification } from './conversation/identity.ts'
import { Live } from './conversation/live.ts'
import { Remembered } from './conversation/memory.ts'
import { Outbox } from './conversation/outbox.ts'
import { Session } from './conversation/session.ts'
import { Whereabouts } from './conversation/whereabouts.ts'
import { attach, isFramed } from './frame.ts'
import { type ChatMessage, service } from './service/api.ts'
import { assistant } from './view/assistant.ts'
import { composer } from './view/composer.ts'
import { details } from './view/details.ts'
import { one } from './view/dom.ts'
import { home } from './view/home.ts'
import { Log } from './view/log.ts'
import { renderer } from './view/render.ts'
import { talk } from './view/talk.ts'
import { say } from './view/words.ts'

/* The chat in its frame: which of its two views shows, and what everything that happens leads to. */

const root = one(document, '#chat')
const { path = '', name = '' } = root.dataset

/** The conversation that shows; null: one that has not begun. */
let current: string | null = null
let isHome = false
let isShown = !isFramed
/** Whether it has been decided what shows first; for good, once it is known what there is or somebody has begun there. */
let isChosen = false
let isSettled = false
let wasGone = false

const remembered = new Remembered(path)
const session = new Session(
  remembered,
  service(path, () => remembered.memory.token),
  () => changed(),
  (messages) => outbox.arrived(messages),
)
const outbox = new Outbox(
  session,
  () => changed(),
  (pending, message) => {
    log.rename(pending.clientId, message.id)
    const isFirst = pending.conversationId === null
    if (isFirst && current === null) {
      current = message.conversationId
      wasGone = false
    }
    if (isFirst) {
      live.wake()
      whereabouts.tell()
    }
  },
)
const socketAddress = new URL(`${path}/socket`, location.href)
socketAddress.protocol = socketAddress.protocol.replace('http', 'ws')
const live = new Live(socketAddress.href, () => session.token, {
  opened: () => whereabouts.tell(),
  message(frame) {
    const isHere = frame.conversationId === undefined || frame.conversationId === current
    if (frame.type === 'typing' && isHere) view.typing(typist())
    if (frame.type === 'removed') session.remove(String(frame.conversationId), String(frame.messageId))
    if (frame.type !== 'message' || typeof frame.message !== 'object' || !frame.message) return
    if (isHere) view.typing(null)
    session.take(frame.message as ChatMessage)
  },
  async catchUp() {
    const isReached = await session.catchUp(current)
    if (isReached && outbox.pending.length > 0) void outbox.flush()
    choose(session.isListed)
    return isReached
  },
})
const whereabouts = new Whereabouts(session, live)
const identify = identification(session, live, discard)
const log = new Log(
  one(root, '#log'),
  name,
  () => {
    void outbox.flush()
    field.focus()
  },
  async (id) => field.contentOf(id) ?? session.service.file(id),
)
const view = talk()
const list = home(session, open)
const asking = assistant(
  session.service,
  (text) => {
    outbox.add(null, { text, files: [] })
    // The button that was pressed is gone.
    if (document.activeElement === document.body) focus()
  },
  (newest) => view.fromTopOf(newest),
)
const form = details(
  async (given) => {
    const outcome = await session.introduce(given)
    if (outcome.kind === 'ok') {
      one(root, '#said').textContent = say('answersGoTo', { email: given.email })
      changed()
      field.focus()
    }
    return outcome
  },
  () => {
    remembered.memory.keepsEmail = true
    remembered.store()
    changed()
    field.focus()
  },
)
const field = composer({
  draft: remembered.draft(),
  keep: (text) => remembered.storeDraft(text),
  typing: () => current !== null && live.send({ type: 'typing', conversationId: current }),
  async sendFile(file, sending) {
    const known = await session.known()
    if (known.kind !== 'ok') return known
    const sent = await session.service.send(file, sending)
    // Tried again, it is sent as somebody new.
    if (sent.kind === 'stranger') session.forget()
    return sent
  },
  send(said) {
    settle()
    live.hurry()
    view.toEnd()
    const isFirst = current === null && !outbox.pending.some(({ conversationId }) => conversationId === null)
    // Articles answer words alone.
    if (isFirst && said.files.length === 0) void asking.ask(said.text).then(changed)
    else outbox.add(current, said)
  },
})

const render = renderer(root, { session, outbox, list, log, form, view })

/** Who is writing in the conversation that shows: whoever answered last, else the source. */
function typist(): string {
  const answered = session.conversations
    .get(current ?? '')
    ?.messages.findLast(({ direction }) => direction === 'outbound')
  return answered?.author.name ?? name
}

function open(id: string | null): void {
  isHome = false
  current = id
  wasGone = false
  asking.clear()
  view.toEnd()
  if (id !== null) void session.load(id, true).then(changed)
  changed()
  focus()
}

function openHome(): void {
  isHome = true
  asking.clear()
  changed()
  one(root, '#home-title').focus()
}

/** First the conversation that goes on; several that have ended are a list. `isKnown`: whether that is what there is. */
function choose(isKnown: boolean): void {
  if (isSettled) return
  const [newest] = session.list()
  isSettled = isKnown
  // What shows already is a conversation that has not begun.
  if (isChosen && !newest) return
  isChosen = true
  root.ariaBusy = null
  if (!newest || outbox.pending.length > 0) open(outbox.pending[0]?.conversationId ?? null)
  else if (newest.status === 'open' || session.unread(newest.id) > 0) open(newest.id)
  else openHome()
}

/** Nobody is led away from where they do something. */
function settle(): void {
  isSettled = isChosen
}

function focus(): void {
  if (!isShown) return
  // On a phone the keyboard would cover what is to be read first.
  if (matchMedia('(pointer: coarse)').matches) one(root, '#name').focus()
  else field.focus()
}

/** Something is other than it was: shows it. */
function changed(): void {
  if (!isChosen) return
  // Deleted, or another visitor's by now.
  if (current !== null && !session.conversations.has(current) && (session.isListed || session.token === null)) {
    current = null
    wasGone = true
  }
  if (current !== null && isShown && !isHome && !document.hidden) {
    session.see(current)
    whereabouts.see(current)
  }
  render({ current, isHome, wasGone, isAsking: asking.isAsking() })
}

function start(identity: string | null | undefined, kept: string | null): void {
  remembered.restore(kept)
  if (session.token === null && !identity) choose(true)
  else {
    root.ariaBusy = 'true'
    void identify(identity ?? null, identity !== undefined).then(() =>
      session.token === null ? choose(true) : live.start(),
    )
    // Whoever cannot be reached lets nobody wait before an empty frame.
    setTimeout(choose, 3000, false)
  }
  if (outbox.pending.length > 0) void outbox.flush()
}

/** Another tab went ahead: with another visitor, as `take` says, or with what was seen. */
function follow(take: () => boolean): void {
  const wasKnown = session.token !== null
  if (!take()) {
    changed()
    return
  }
  // What nobody in particular was writing goes on as whoever they are by now.
  if (wasKnown) discard()
  session.clear()
  live.start()
}

/** Their conversation is not gone: whoever comes next is not to hear that there was one. */
function discard(): void {
  current = null
  isHome = false
  wasGone = false
  outbox.discard()
  asking.clear()
  field.discard()
}

function show(shown: boolean): void {
  isShown = shown
  live.show(shown)
  changed()
  if (shown) focus()
}

one(root, '#back').addEventListener('click', openHome)
for (const event of ['click', 'input']) root.addEventListener(event, settle)
document.addEventListener('visibilitychange', changed)
addEventListener('storage', (event) => {
  if (remembered.isOwn(event as StorageEvent)) follow(() => remembered.reread())
})
attach(one(root, '#close'), getComputedStyle(root).backgroundColor, {
  start,
  show,
  identify: (identity) => void identify(identity, true).then(changed),
  keep: (kept) => follow(() => remembered.restore(kept)),
  visit: (page) => whereabouts.visit(page),
})
